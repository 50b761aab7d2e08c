package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.CommitAcknowledged;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Sorted;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Committing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.EndReason;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Running;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.StageFailure;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.EpochPlan;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/** The phases Committing and Running. */
final class EpochRules {

    private final EndingRules ending;

    EpochRules(EndingRules ending) {
        this.ending = ending;
    }

    /** Every rank is armed. */
    void commit(Step step, EpochId epoch, EpochPlan plan) {
        Committing committing = new Committing(epoch, plan, Sorted.copy(Set.of()));
        step.phase = committing;
        step.publish(new CoordinatorNotice.StageStarted(epoch, Stage.COMMIT));
        step.deadline(patience(step));
        commitAgain(step, committing);
    }

    private static Duration patience(Step step) {
        return step.config.timing().of(Stage.COMMIT).plus(step.config.timing().margin());
    }

    void commitAgain(Step step, Committing committing) {
        for (Incarnation rank : step.members().values()) {
            if (!committing.acknowledged().contains(rank.rank())) {
                step.send(new RankMessage.Commit(rank, committing.epoch()));
            }
        }
        step.resend();
    }

    /** The last acknowledgement makes the epoch visible to users. */
    void acknowledged(Step step, Committing committing, CommitAcknowledged acknowledged) {
        if (!acknowledged.epoch().equals(committing.epoch())) {
            return;
        }
        SortedSet<Integer> all =
                Sorted.with(committing.acknowledged(), acknowledged.from().rank());
        step.phase = new Committing(committing.epoch(), committing.plan(), all);
        if (all.size() == step.config.worldSize()) {
            step.phase = new Running(committing.epoch(), committing.plan());
            step.noDeadline();
            step.noResend();
            step.history = step.history.committed();
            step.publish(new CoordinatorNotice.EpochCommitted(committing.epoch(), committing.plan()));
            step.members().values().forEach(rank -> step.send(new RankMessage.Committed(rank, committing.epoch())));
        }
    }

    void acknowledgedAgain(Step step, Running running, CommitAcknowledged acknowledged) {
        if (acknowledged.epoch().equals(running.epoch())) {
            step.send(new RankMessage.Committed(acknowledged.from(), running.epoch()));
        }
    }

    /** A rank has stopped waiting for the commit, and has poisoned the epoch in its own pad. */
    void commitRefused(Step step, Committing committing, StageAnswer answer) {
        if (answer.epoch().equals(committing.epoch())
                && answer.stage() == Stage.COMMIT
                && answer.outcome() instanceof StageOutcome.Refused refused) {
            int rank = answer.from().rank();
            StageFailure failure = new StageFailure(rank, refused.error().onRank(rank), null);
            end(step, committing, new EndReason.StageFailed(Stage.COMMIT, failure));
        }
    }

    void commitExpired(Step step, Committing committing) {
        for (int rank : step.members().keySet()) {
            if (!committing.acknowledged().contains(rank)) {
                ErrorInfo error = Errors.silent(step.config, rank, Stage.COMMIT.wireName(), patience(step));
                end(step, committing, new EndReason.StageFailed(Stage.COMMIT, new StageFailure(rank, error, null)));
                return;
            }
        }
    }

    private void end(Step step, Committing committing, EndReason reason) {
        ending.begin(step, committing.epoch(), Optional.of(committing.plan()), reason);
    }

    /** An operation failed on one rank, so the epoch ends on all. */
    void operationFailed(Step step, EpochId epoch, EpochPlan plan, OperationFailed failed) {
        if (failed.epoch().equals(epoch)) {
            ErrorInfo cause = failed.error().onRank(failed.from().rank());
            ending.begin(step, epoch, Optional.of(plan), new EndReason.OperationEnded(cause));
            ending.reported(step, (Ending) step.phase, failed);
        }
    }

    /** The first rank that leaves starts a grace for the others; the last one ends the epoch with nothing running. */
    void left(Step step, Running running, ErrorInfo cause) {
        if (step.leaving().size() == step.config.worldSize()) {
            ending.begin(step, running.epoch(), Optional.of(running.plan()), new EndReason.Closing(cause));
        } else if (step.leaving().size() == 1) {
            step.deadline(step.config.timing().closeGrace());
        }
    }

    void graceExpired(Step step, Running running) {
        ErrorInfo cause = Errors.closed(step.config, step.leaving().first());
        ending.begin(step, running.epoch(), Optional.of(running.plan()), new EndReason.Closing(cause));
    }
}
