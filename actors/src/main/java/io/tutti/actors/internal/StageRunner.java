package io.tutti.actors.internal;

import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.rank.Agreed;
import io.tutti.actors.protocol.rank.RankCommand;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.actors.spi.StageObserver;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.facts.FactsCollector;
import io.tutti.gpu.memory.HandleException;
import io.tutti.gpu.plan.LinkPromises;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.rank.DrainReport;
import io.tutti.gpu.rank.RankDevice;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the core's device commands on one rank's device. Confined to the rank's thread; every step is bounded by
 * its stage's deadline or by the operation's. A failure becomes an outcome, never an exception in the actor.
 */
final class StageRunner {

    private static final Logger LOG = LoggerFactory.getLogger(StageRunner.class);

    private final FactsCollector facts;
    private final LocalRank rank;
    private final RankDevice device;
    private final int worldSize;
    private final int probeFactor;
    private final Optional<PeerWatch> peers;
    private final List<StageObserver> observers =
            ServiceLoader.load(StageObserver.class, StageRunner.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
    private long retired;

    StageRunner(FactsCollector facts, LocalRank rank, int worldSize, int probeFactor, Optional<PeerWatch> peers) {
        this.facts = facts;
        this.rank = rank;
        this.device = rank.machine();
        this.worldSize = worldSize;
        this.probeFactor = probeFactor;
        this.peers = peers;
    }

    StageOutcome perform(RankCommand.Perform order) {
        String stage = order.stage().wireName();
        try {
            observers.forEach(observer -> observer.before(device.settings().rank(), order.epoch(), stage));
            StageOutcome outcome = outcome(order);
            observers.forEach(observer -> observer.after(device.settings().rank(), order.epoch(), stage));
            return outcome;
        } catch (TuttiException e) {
            ErrorInfo error = rank.explain(
                    order.epoch(), e.info().onRank(device.settings().rank()));
            return new StageOutcome.Refused(error, HandleException.kindOf(e).orElse(null));
        } catch (RuntimeException e) {
            LOG.error(
                    "rank {}: {} stage {} failed",
                    device.settings().rank(),
                    order.epoch(),
                    order.stage().wireName(),
                    e);
            return new StageOutcome.Refused(unexpected(order.stage(), e), null);
        }
    }

    private StageOutcome outcome(RankCommand.Perform order) {
        EpochId epoch = order.epoch();
        long nanos = order.timeout().toNanos();
        switch (order.stage()) {
            case IDENTITY -> {
                RankFacts own = facts.collect(
                        device.settings().rank(),
                        worldSize,
                        device.settings().deviceOrdinal(),
                        device.settings().transports().kinds());
                rank.told(own);
                return new StageOutcome.Facts(own);
            }
            case ALLOCATE -> device.allocate(epoch, agreed(order).plan());
            case FILL -> device.fill(epoch, nanos);
            case EXPORT -> {
                return new StageOutcome.Exported(device.export(epoch));
            }
            case IMPORT -> {
                // Watched before anything of theirs is mapped, so that no death goes unseen.
                peers.ifPresent(watch -> watch.watch(
                        epoch, agreed(order).facts(), device.settings().hostId()));
                device.importPeers(epoch, order.offers());
            }
            case WRITE -> device.writePatterns(epoch, nanos);
            case VERIFY -> device.verifyPatterns(epoch, nanos);
            case PROBE ->
                device.probe(
                        epoch,
                        LinkPromises.of(
                                order.agreed().orElseThrow().facts(),
                                device.settings().rank()),
                        probeFactor,
                        nanos);
            case QUIESCE -> device.quiesce(nanos);
            case ARM -> device.arm(epoch, nanos);
            case PLAN, COMMIT ->
                throw new IllegalArgumentException("the stage has no work on the device: stage="
                        + order.stage().wireName());
        }
        return new StageOutcome.Done();
    }

    private static Agreed agreed(RankCommand.Perform order) {
        return order.agreed().orElseThrow();
    }

    void enter(EpochId epoch) {
        String commit = Stage.COMMIT.wireName();
        observers.forEach(observer -> observer.before(device.settings().rank(), epoch, commit));
        quietly("enter", epoch, () -> device.enter(epoch));
        observers.forEach(observer -> observer.after(device.settings().rank(), epoch, commit));
    }

    void poison(EpochId epoch) {
        quietly(
                "poison",
                epoch,
                () -> device.abort(
                        epoch,
                        ErrorInfo.of(
                                ErrorCode.ABORTED,
                                epoch + " was given up before its commit arrived",
                                "Call again in the next epoch.")));
    }

    void abort(EpochId epoch, ErrorInfo cause) {
        quietly("abort", epoch, () -> device.abort(epoch, cause));
    }

    /** Empty when the device does not drain; its memory is then abandoned by the coordinator's word. */
    Optional<RankEvent> drain(EpochId epoch) {
        try {
            DrainReport report =
                    device.drain(epoch, device.settings().operationTimeout().toNanos());
            retired = report.retiredSequence();
            return Optional.of(new RankEvent.DeviceDrained(epoch, retired, report.firstPending()));
        } catch (TuttiException e) {
            LOG.warn("rank {}: {} does not drain: {}", device.settings().rank(), epoch, e.getMessage());
            return Optional.empty();
        }
    }

    void end(EpochId epoch, ErrorInfo cause, boolean resubmittable) {
        // Where all ranks have retired the same calls, this rank's last one is the group's.
        quietly("end", epoch, () -> device.endEpoch(epoch, cause, resubmittable ? retired : Long.MAX_VALUE));
    }

    void release(EpochId epoch) {
        peers.ifPresent(PeerWatch::close);
        quietly("release", epoch, () -> device.release(epoch));
    }

    void abandon(EpochId epoch) {
        peers.ifPresent(PeerWatch::close);
        quietly("abandon", epoch, () -> device.abandon(epoch));
    }

    private void quietly(String what, EpochId epoch, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.warn("rank {}: could not {} {}: {}", device.settings().rank(), what, epoch, e.getMessage(), e);
        }
    }

    void close() {
        peers.ifPresent(PeerWatch::close);
    }

    private ErrorInfo unexpected(Stage stage, RuntimeException e) {
        return new ErrorInfo(
                ErrorCode.INTERNAL,
                device.settings().rank(),
                stage.wireName(),
                null,
                "unexpected failure: " + e,
                "Report this with the log.");
    }
}
