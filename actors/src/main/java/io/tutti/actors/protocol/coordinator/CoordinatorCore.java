package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.CommitAcknowledged;
import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.ForgetRefusals;
import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.CoordinatorMessage.Leaving;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.Planner;
import io.tutti.actors.protocol.Sorted;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent.CloseRequested;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent.RankLost;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent.Received;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent.TimerFired;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Claiming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Committing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Gathering;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Pausing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Running;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Standby;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The coordinator of one communicator, as a pure function. It gathers all ranks' hellos, claims a term by their
 * promises, forms an epoch stage by stage, commits it, and ends it when anything fails; then it forms the next one,
 * around what failed, until no path is left. The phases in that order: Gathering, Claiming, Forming, Committing,
 * Running, Ending, Pausing; Standby while another one leads; and for good Failed, Closed, Superseded.
 *
 * <p>This class is the table: one method per kind of event, one line per phase that cares. The rules themselves are in
 * {@link MembershipRules}, {@link FormingRules}, {@link EpochRules} and {@link EndingRules}, what follows a failure in
 * {@link FailurePolicy}. An event that no line names changes nothing.
 */
public final class CoordinatorCore implements Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> {

    private final CoordinatorConfig config;
    private final MembershipRules membership;
    private final FormingRules forming;
    private final EpochRules epochs;
    private final EndingRules ending;

    public CoordinatorCore(CoordinatorConfig config, Planner planner) {
        this.config = config;
        this.ending = new EndingRules(new FailurePolicy(config, planner), this::proceed);
        this.epochs = new EpochRules(ending);
        this.forming = new FormingRules(planner, epochs, ending);
        this.membership = new MembershipRules(forming, ending);
    }

    @Override
    public Transition<CoordinatorState, CoordinatorCommand> start() {
        CoordinatorState nothing = new CoordinatorState(
                new Gathering(Optional.empty()),
                Sorted.copy(Map.of()),
                List.of(),
                Sorted.copy(Map.of()),
                Sorted.copy(Set.of()),
                Term.NONE,
                false,
                Term.NONE,
                0,
                History.NONE,
                Map.of());
        Step step = new Step(config, nothing);
        membership.gather(step, Optional.empty());
        return step.done();
    }

    @Override
    public Transition<CoordinatorState, CoordinatorCommand> on(CoordinatorState state, CoordinatorEvent event) {
        Step step = new Step(config, state);
        if (event instanceof Received received) {
            onMessage(step, received.message());
        } else if (event instanceof TimerFired fired) {
            switch (fired.timer()) {
                case DEADLINE -> onDeadline(step);
                case RESEND -> onResend(step);
            }
        } else if (event instanceof RankLost lost) {
            onLost(step, lost);
        } else if (event instanceof CloseRequested close) {
            onClose(step, close);
        }
        return step.done();
    }

    private void onMessage(Step step, CoordinatorMessage message) {
        if (TerminalRules.isTerminal(step.phase)) {
            TerminalRules.answer(step, message);
        } else if (message instanceof Hello hello) {
            membership.hello(step, hello);
        } else if (message instanceof Drained drained) {
            onDrained(step, drained);
        } else if (!step.counts(message.from())) {
            return; // Whatever a stranger says about epochs is stale; its hello comes again.
        } else if (message instanceof Promised promised) {
            onPromised(step, promised);
        } else if (message instanceof ClaimRefused refused) {
            membership.refused(step, refused);
        } else if (message instanceof StageAnswer answer) {
            onStageAnswer(step, answer);
        } else if (message instanceof CommitAcknowledged acknowledged) {
            onCommitAcknowledged(step, acknowledged);
        } else if (message instanceof OperationFailed failed) {
            onOperationFailed(step, failed);
        } else if (message instanceof Leaving leaving) {
            onLeaving(step, leaving);
        } else if (message instanceof ForgetRefusals request) {
            RefusalRules.asked(step, request);
        }
    }

    private void proceed(Step step) {
        membership.proceed(step);
    }

    private void onPromised(Step step, Promised promised) {
        if (step.phase instanceof Claiming claiming) {
            membership.promised(step, claiming, promised);
        }
    }

    private void onStageAnswer(Step step, StageAnswer answer) {
        if (step.phase instanceof Forming f) {
            forming.answered(step, f, answer);
        } else if (step.phase instanceof Committing committing) {
            epochs.commitRefused(step, committing, answer);
        }
    }

    private void onCommitAcknowledged(Step step, CommitAcknowledged acknowledged) {
        if (step.phase instanceof Committing committing) {
            epochs.acknowledged(step, committing, acknowledged);
        } else if (step.phase instanceof Running running) {
            epochs.acknowledgedAgain(step, running, acknowledged);
        }
    }

    private void onOperationFailed(Step step, OperationFailed failed) {
        if (step.phase instanceof Committing committing) {
            epochs.operationFailed(step, committing.epoch(), committing.plan(), failed);
        } else if (step.phase instanceof Running running) {
            epochs.operationFailed(step, running.epoch(), running.plan(), failed);
        } else if (step.phase instanceof Ending e) {
            ending.reported(step, e, failed);
        }
    }

    private void onDrained(Step step, Drained drained) {
        if (step.counts(drained.from())) {
            membership.leftEpoch(step, drained);
        }
        boolean counted = step.phase instanceof Ending e && ending.drained(step, e, drained);
        if (!counted) {
            ending.answerAgain(step, drained);
        }
    }

    private void onLeaving(Step step, Leaving leaving) {
        if (!step.leave(leaving.from().rank())) {
            return;
        }
        ErrorInfo cause = Errors.closed(config, leaving.from().rank());
        if (step.phase instanceof Running running) {
            epochs.left(step, running, cause);
        } else {
            membership.close(step, cause);
        }
    }

    private void onClose(Step step, CloseRequested close) {
        if (!TerminalRules.isTerminal(step.phase)) {
            membership.close(step, close.cause());
        }
    }

    private void onLost(Step step, RankLost lost) {
        if (TerminalRules.isTerminal(step.phase)) {
            return; // Everybody leaves once a communicator is over; that is no loss.
        }
        boolean counted = step.counts(lost.rank());
        if (lost.reaped()) {
            step.retire(lost.rank(), lost.cause());
        } else {
            step.drop(lost.rank(), lost.cause());
        }
        if (counted) {
            membership.memberGone(step, lost.cause());
        }
        if (lost.reaped() && step.phase instanceof Ending e) {
            ending.reaped(step, e, lost.rank());
        }
    }

    private void onDeadline(Step step) {
        if (step.phase instanceof Gathering gathering) {
            membership.gatheringExpired(step, gathering);
        } else if (step.phase instanceof Claiming claiming) {
            membership.claimExpired(step, claiming);
        } else if (step.phase instanceof Forming f) {
            forming.expired(step, f);
        } else if (step.phase instanceof Committing committing) {
            epochs.commitExpired(step, committing);
        } else if (step.phase instanceof Running running) {
            epochs.graceExpired(step, running);
        } else if (step.phase instanceof Ending e) {
            ending.expired(step, e);
        } else if (step.phase instanceof Pausing) {
            membership.proceed(step);
        } else if (step.phase instanceof Standby standby) {
            membership.standbyExpired(step, standby);
        }
    }

    private void onResend(Step step) {
        if (step.phase instanceof Claiming claiming) {
            membership.claimAgain(step, claiming);
        } else if (step.phase instanceof Forming f) {
            FormingRules.orderAgain(step, f);
        } else if (step.phase instanceof Committing committing) {
            epochs.commitAgain(step, committing);
        } else if (step.phase instanceof Ending e) {
            ending.abortAgain(step, e);
        }
    }
}
