package io.tutti.actors.internal;

import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.actors.api.Rank;
import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.RankFacts;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The communicator as this process sees it: its local ranks, and the epoch that all of them have entered. */
final class LocalCommunicator implements Communicator {

    private final String name;
    private final int worldSize;
    private final List<LocalRank> ranks;
    private final Duration closeTimeout;
    private final CompletableFuture<Communicator> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicInteger stillOpen;
    private final EpochHistory history = new EpochHistory();

    LocalCommunicator(String name, int worldSize, List<LocalRank> ranks, Duration closeTimeout) {
        this.name = name;
        this.worldSize = worldSize;
        this.ranks = List.copyOf(ranks);
        this.closeTimeout = closeTimeout;
        this.stillOpen = new AtomicInteger(ranks.size());
        if (ranks.isEmpty()) {
            ready.completeExceptionally(new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "no rank of the communicator lives in this process: communicator=" + name,
                    "Use it from a process that hosts one of its ranks (tutti.communicators." + name + ".ranks).")));
            closed.complete(null);
        }
        this.ranks.forEach(rank -> rank.attach(this));
    }

    /** Completes when every local rank has seen the first committed epoch, or with why there is none. */
    CompletionStage<Communicator> ready() {
        return ready.minimalCompletionStage();
    }

    /** Whether a coordinator has answered every local rank, so that forming is bounded by its deadlines. */
    boolean isCoordinated() {
        return ranks.stream().allMatch(LocalRank::isGreeted);
    }

    /** A local rank saw an epoch committed. */
    void committed(LocalRank rank) {
        if (rank == ranks.get(0)) {
            history.committed(rank.current());
        }
        if (ranks.stream().allMatch(LocalRank::hasEpoch)) {
            ready.complete(this);
        }
    }

    /** How far the local ranks are, at the earliest stage that one of them is at. */
    FormingProgress forming() {
        if (!isCoordinated()) {
            return progress("finding the coordinator", ranks.stream().filter(LocalRank::isGreeted));
        }
        Optional<Stage> earliest =
                ranks.stream().flatMap(rank -> rank.stage().stream()).min(Comparator.naturalOrder());
        return earliest.map(stage -> progress(stage.wireName(), ranks.stream().filter(rank -> rank.isThrough(stage))))
                .orElseGet(() -> progress("waiting for all ranks", ranks.stream()));
    }

    private FormingProgress progress(String stage, Stream<LocalRank> done) {
        return new FormingProgress(stage, (int) done.count(), ranks.size());
    }

    /** A local rank failed for good. */
    void failed(ErrorInfo cause) {
        ready.completeExceptionally(new TuttiException(cause));
    }

    /** A local rank has given everything back. */
    void released() {
        if (stillOpen.decrementAndGet() == 0) {
            ready.completeExceptionally(new TuttiException(LocalRank.closedError(name)));
            closed.complete(null);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public List<Rank> localRanks() {
        return List.copyOf(ranks);
    }

    @Override
    public EpochId epoch() {
        return ranks.get(0).current().id();
    }

    @Override
    public EpochPlan plan() {
        return ranks.get(0).current().plan();
    }

    @Override
    public int restarts() {
        return history.restarts();
    }

    @Override
    public int downgrades() {
        return history.downgrades();
    }

    @Override
    public CompletionStage<Void> forgetRefusals() {
        return ranks.get(0).forgetRefusals();
    }

    /** What the local ranks have told about their places and devices, those that have. */
    List<RankFacts> facts() {
        return ranks.stream().flatMap(rank -> rank.facts().stream()).toList();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        if (closing.compareAndSet(false, true)) {
            ranks.forEach(LocalRank::requestClose);
        }
        return closed.minimalCompletionStage();
    }

    @Override
    public void close() {
        closeAsync();
        try {
            closed.get(closeTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            List<Integer> open = ranks.stream()
                    .filter(LocalRank::isOpen)
                    .map(LocalRank::rank)
                    .toList();
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.TIMEOUT,
                            "closing took too long: communicator=" + name + " timeout=" + closeTimeout
                                    + " ranksStillOpen=" + open,
                            "Look at the log for what these ranks wait for, or raise tutti.close.timeout."),
                    e);
        }
    }
}
