package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.rank.RankEvent.CallFailed;
import io.tutti.actors.protocol.rank.RankEvent.DeviceDrained;
import io.tutti.actors.protocol.rank.RankPhase.Armed;
import io.tutti.actors.protocol.rank.RankPhase.Draining;
import io.tutti.actors.protocol.rank.RankPhase.Entered;
import io.tutti.actors.protocol.rank.RankPhase.Finished;
import io.tutti.actors.protocol.rank.RankPhase.Idle;
import io.tutti.actors.protocol.rank.RankPhase.Running;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The way out of an epoch and of the communicator. The device is aborted and drained first; the epoch's memory is given
 * back only once the coordinator has said that all others have drained too, and abandoned in every other case.
 */
final class DrainRules {

    private DrainRules() {}

    /** Begins to drain, unless that has begun. */
    private static Draining drain(RankStep step, EpochId epoch, ErrorInfo cause) {
        if (step.phase instanceof Draining draining) {
            return draining;
        }
        Draining draining = new Draining(
                epoch, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        step.phase = draining;
        step.patience(Duration.ZERO);
        step.resend();
        step.command(new RankCommand.AbortDevice(epoch, cause));
        step.command(new RankCommand.DrainDevice(epoch));
        return draining;
    }

    /** The epoch is to end. One that the rank does not hold has drained as far as the rank is concerned. */
    static void abort(RankStep step, Abort abort) {
        EpochId epoch = abort.epoch();
        if (!step.holds(epoch)) {
            step.heardOf(epoch);
            step.drained(epoch);
            step.send(new Drained(step.config.self(), epoch, 0, Optional.empty()));
        } else if (step.phase instanceof Draining draining) {
            tellAgain(step, draining);
        } else {
            drain(step, epoch, abort.cause());
        }
    }

    static void tellAgain(RankStep step, Draining draining) {
        draining.report().ifPresent(step::send);
        draining.refusal().ifPresent(step::send);
        draining.drained().ifPresent(step::send);
    }

    /** A call has failed: the epoch is over here, and the coordinator is told in the rank's own words. */
    static void callFailed(RankStep step, CallFailed failed) {
        boolean live = step.phase instanceof Entered || step.phase instanceof Running || step.phase instanceof Draining;
        if (!live || !step.holds(failed.epoch())) {
            return;
        }
        Draining draining = drain(step, failed.epoch(), failed.error());
        if (draining.report().isEmpty() && draining.drained().isEmpty()) {
            OperationFailed report = new OperationFailed(
                    step.config.self(), failed.epoch(), failed.sequence(), failed.missingRank(), failed.error());
            step.send(report);
            step.phase = new Draining(
                    draining.epoch(),
                    Optional.of(report),
                    draining.refusal(),
                    draining.drained(),
                    draining.undrained(),
                    draining.last());
        }
    }

    static void deviceDrained(RankStep step, DeviceDrained event) {
        if (step.phase instanceof Draining draining
                && draining.epoch().equals(event.epoch())
                && draining.drained().isEmpty()) {
            Drained drained = new Drained(step.config.self(), event.epoch(), event.retired(), event.pending());
            step.drained(event.epoch());
            step.send(drained);
            settle(
                    step,
                    new Draining(
                            draining.epoch(),
                            draining.report(),
                            draining.refusal(),
                            Optional.of(drained),
                            draining.undrained(),
                            draining.last()));
        }
    }

    /** Nobody waits for the epoch any more; a rank that was not aborted yet still drains first. */
    static void epochEnded(RankStep step, EpochEnded ended) {
        if (step.holds(ended.epoch())) {
            Draining draining = drain(step, ended.epoch(), ended.cause());
            if (draining.undrained().isEmpty()) {
                step.command(
                        new RankCommand.EndEpoch(ended.epoch(), ended.cause(), ended.pending(), ended.resubmittable()));
                over(step, draining, ended.undrained(), draining.last());
            }
        }
    }

    private static void over(RankStep step, Draining draining, Set<Integer> undrained, Optional<ErrorInfo> last) {
        step.cancel(RankTimer.PATIENCE);
        settle(
                step,
                new Draining(
                        draining.epoch(),
                        draining.report(),
                        draining.refusal(),
                        draining.drained(),
                        Optional.of(undrained),
                        last));
    }

    /** Lets go of the epoch once its own device has drained and the others' fate is known. */
    private static void settle(RankStep step, Draining draining) {
        step.phase = draining;
        if (draining.drained().isPresent() && draining.undrained().isPresent()) {
            letGo(step, draining);
        }
    }

    private static void letGo(RankStep step, Draining draining) {
        Set<Integer> writers = new TreeSet<>(draining.undrained().orElse(Set.of()));
        int self = step.config.self().rank();
        if (draining.drained().isPresent()) {
            writers.remove(self);
        } else {
            writers.add(self);
        }
        step.command(
                writers.isEmpty()
                        ? new RankCommand.ReleaseEpoch(draining.epoch())
                        : new RankCommand.AbandonEpoch(draining.epoch(), writers));
        if (draining.last().isPresent()) {
            finish(step, draining.last().get());
        } else {
            step.phase = new Idle();
        }
    }

    private static void finish(RankStep step, ErrorInfo cause) {
        step.phase = new Finished(cause);
        for (RankTimer timer : RankTimer.values()) {
            step.cancel(timer);
        }
        step.command(new RankCommand.Finish(cause));
    }

    /** The coordinator is silent: a rank that could still be committed poisons the epoch before it stops waiting. */
    static void patienceEnded(RankStep step) {
        Optional<EpochId> held = step.phase.held();
        if (held.isEmpty() || step.phase instanceof Running) {
            return;
        }
        EpochId epoch = held.get();
        ErrorInfo cause = RankErrors.coordinatorSilent(step.config);
        if (step.phase instanceof Draining draining) {
            if (draining.undrained().isEmpty()) {
                giveUp(step, draining, cause, draining.last());
            }
            return;
        }
        boolean committable = step.phase instanceof Armed || step.phase instanceof Entered;
        if (committable) {
            step.command(new RankCommand.PoisonPad(epoch));
        }
        Draining draining = drain(step, epoch, cause);
        if (committable) {
            StageAnswer refusal =
                    new StageAnswer(step.config.self(), epoch, Stage.COMMIT, new StageOutcome.Refused(cause, null));
            step.send(refusal);
            step.phase = new Draining(
                    draining.epoch(),
                    draining.report(),
                    Optional.of(refusal),
                    draining.drained(),
                    draining.undrained(),
                    draining.last());
        }
    }

    /** Without the coordinator's word every other rank may still write. */
    private static void giveUp(RankStep step, Draining draining, ErrorInfo cause, Optional<ErrorInfo> last) {
        Set<Integer> others = new TreeSet<>();
        for (int rank = 0; rank < step.config.worldSize(); rank++) {
            if (rank != step.config.self().rank()) {
                others.add(rank);
            }
        }
        if (draining.undrained().isEmpty()) {
            step.command(new RankCommand.EndEpoch(draining.epoch(), cause, Map.of(), false));
        }
        over(step, draining, draining.undrained().orElse(others), last);
    }

    /** The communicator has ended; whatever is still held is drained first. */
    static void failed(RankStep step, ErrorInfo cause) {
        Optional<EpochId> held = step.phase.held();
        if (held.isEmpty()) {
            finish(step, cause);
            return;
        }
        step.start(RankTimer.LEAVE, step.config.timing().leave());
        giveUp(step, drain(step, held.get(), cause), cause, Optional.of(cause));
    }

    static void leave(RankStep step) {
        if (step.leaving) {
            return;
        }
        step.leaving = true;
        step.send(new CoordinatorMessage.Leaving(step.config.self()));
        if (step.phase instanceof RankPhase.Greeting) {
            // No coordinator has ever answered, so there is nobody to wait for and nothing to give back.
            finish(step, RankErrors.leftUnanswered(step.config));
            return;
        }
        step.start(RankTimer.LEAVE, step.config.timing().leave());
        step.resend();
    }

    /** Nobody has closed the communicator in time: the rank goes by itself, and at last without its device. */
    static void leaveExpired(RankStep step) {
        if (step.phase instanceof Draining draining && draining.last().isPresent()) {
            letGo(step, draining);
        } else {
            failed(step, RankErrors.leftAlone(step.config));
        }
    }
}
