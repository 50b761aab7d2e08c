package io.tutti.launcher.run;

import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the operation again and again on all local ranks of one communicator, one at a time, and times it. */
final class OperationLoop {

    private final String communicator;
    private final List<RankTensors> ranks;
    private final Duration limit;
    private final Waits waits;
    private final Progress progress;
    private List<CompletableFuture<Completion>> calls = List.of();

    OperationLoop(String communicator, List<RankTensors> ranks, Duration limit, Waits waits, Progress progress) {
        this.communicator = communicator;
        this.ranks = ranks;
        this.limit = limit;
        this.waits = waits;
        this.progress = progress;
    }

    /**
     * Runs them all; outputs are poisoned before the first and before the last.
     *
     * @throws TuttiException the failure that explains best why one did not complete on every rank
     */
    OperationTimes run(int iterations) {
        OperationTimes times = new OperationTimes(iterations);
        for (int i = 0; i < iterations; i++) {
            if (i == 0 || i == iterations - 1) {
                ranks.forEach(rank -> rank.poison(waits));
            }
            times.add(once("operation " + (i + 1) + " of communicator " + communicator + " on all ranks"));
            progress.at(communicator + ": operations", i + 1, iterations);
        }
        return times;
    }

    /** Whether no call is under way any more, so that the tensors may be given back. */
    boolean settled() {
        return calls.stream().allMatch(CompletableFuture::isDone);
    }

    private long once(String what) {
        List<FusedAllReduce> requests = ranks.stream().map(RankTensors::request).toList();
        AtomicLong lastSeen = new AtomicLong();
        List<CompletableFuture<Completion>> started = new ArrayList<>(ranks.size());
        calls = started;
        long start = System.nanoTime();
        for (int i = 0; i < ranks.size(); i++) {
            // The stage after the clock was read is the one that is waited for: stages of one future run in any order.
            started.add(submit(ranks.get(i), requests.get(i))
                    .whenComplete((done, failure) -> lastSeen.accumulateAndGet(System.nanoTime() - start, Math::max)));
        }
        try {
            waits.await(
                    CompletableFuture.allOf(started.toArray(CompletableFuture[]::new)), limit, what, () -> show(what));
        } catch (TuttiException e) {
            throw CallFailures.explain(e, calls, ranks, what);
        }
        return lastSeen.get();
    }

    private void show(String what) {
        long done = calls.stream().filter(CompletableFuture::isDone).count();
        progress.at(communicator + ": waiting for " + what + ", ranks done", done, calls.size());
    }

    private static CompletableFuture<Completion> submit(RankTensors rank, FusedAllReduce request) {
        try {
            return rank.target().allReduce(request).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
