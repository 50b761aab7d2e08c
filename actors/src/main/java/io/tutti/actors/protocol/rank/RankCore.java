package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.Planner;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Claim;
import io.tutti.actors.protocol.RankMessage.Commit;
import io.tutti.actors.protocol.RankMessage.Committed;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.RankMessage.Failed;
import io.tutti.actors.protocol.RankMessage.RefusalsForgotten;
import io.tutti.actors.protocol.RankMessage.StageOrder;
import io.tutti.actors.protocol.RankMessage.Welcome;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.rank.RankEvent.CallFailed;
import io.tutti.actors.protocol.rank.RankEvent.DeviceDrained;
import io.tutti.actors.protocol.rank.RankEvent.ForgetRequested;
import io.tutti.actors.protocol.rank.RankEvent.LeaveRequested;
import io.tutti.actors.protocol.rank.RankEvent.Received;
import io.tutti.actors.protocol.rank.RankEvent.StageFinished;
import io.tutti.actors.protocol.rank.RankEvent.TimerFired;
import io.tutti.actors.protocol.rank.RankPhase.Draining;
import io.tutti.actors.protocol.rank.RankPhase.Entered;
import io.tutti.actors.protocol.rank.RankPhase.Finished;
import io.tutti.actors.protocol.rank.RankPhase.Greeting;
import io.tutti.actors.protocol.rank.RankPhase.Idle;
import io.tutti.gpu.Term;
import java.util.Optional;

/**
 * One life of one rank, as a pure function. It says hello until a coordinator answers, promises terms, carries out the
 * stages of one epoch at a time, enters the epoch at its commit, and drains when it ends. The phases in that order:
 * Greeting, Idle, Working, Armed, Entered, Running, Draining, and Finished for good.
 *
 * <p>This class is the table: what is refused or ignored at the door, then one line per kind of event. The rules
 * themselves are in {@link WorkRules} for everything up to Running and in {@link DrainRules} for the way out.
 */
public final class RankCore implements Machine<RankState, RankEvent, RankCommand> {

    private final RankConfig config;
    private final WorkRules work;

    public RankCore(RankConfig config, Planner planner) {
        this.config = config;
        this.work = new WorkRules(planner);
    }

    @Override
    public Transition<RankState, RankCommand> start() {
        RankStep step =
                new RankStep(config, new RankState(new Greeting(), Term.NONE, 0, Optional.empty(), false, false));
        hello(step);
        return step.done();
    }

    @Override
    public Transition<RankState, RankCommand> on(RankState state, RankEvent event) {
        RankStep step = new RankStep(config, state);
        if (step.phase instanceof Finished) {
            return step.done();
        }
        if (event instanceof Received received) {
            onMessage(step, received.message());
        } else if (event instanceof TimerFired fired) {
            onTimer(step, fired.timer());
        } else if (event instanceof StageFinished finished) {
            work.finished(step, finished);
        } else if (event instanceof CallFailed failed) {
            DrainRules.callFailed(step, failed);
        } else if (event instanceof DeviceDrained drained) {
            DrainRules.deviceDrained(step, drained);
        } else if (event instanceof LeaveRequested) {
            DrainRules.leave(step);
        } else if (event instanceof ForgetRequested) {
            forget(step);
        }
        return step.done();
    }

    private void onMessage(RankStep step, RankMessage message) {
        if (!message.to().equals(config.self())) {
            return; // For another life of this rank.
        }
        if (message instanceof Welcome) {
            welcomed(step);
        } else if (message instanceof Claim claim) {
            claimed(step, claim);
        } else if (message instanceof EpochEnded ended) {
            DrainRules.epochEnded(step, ended); // True whoever says it: what has drained stays drained.
        } else if (step.promised.isAfter(message.term())) {
            step.send(new CoordinatorMessage.ClaimRefused(config.self(), message.term(), step.promised));
        } else if (message instanceof Failed failed) {
            DrainRules.failed(step, failed.cause());
        } else if (message.term().equals(step.promised)) {
            onOrder(step, message);
        }
    }

    private void onOrder(RankStep step, RankMessage message) {
        if (message instanceof StageOrder order) {
            work.ordered(step, order);
        } else if (message instanceof Commit commit) {
            work.commit(step, commit);
        } else if (message instanceof Committed committed) {
            work.committed(step, committed);
        } else if (message instanceof Abort abort) {
            DrainRules.abort(step, abort);
        } else if (message instanceof RefusalsForgotten && step.forgetting) {
            step.forgetting = false;
            step.command(new RankCommand.AnnounceForgotten());
        }
    }

    private void onTimer(RankStep step, RankTimer timer) {
        switch (timer) {
            case HELLO -> hello(step);
            case RESEND -> resend(step);
            case PATIENCE -> DrainRules.patienceEnded(step);
            case LEAVE -> DrainRules.leaveExpired(step);
        }
    }

    /** A rank that has not drained says no hello: it could not take part. */
    private void hello(RankStep step) {
        boolean draining = step.phase instanceof Draining d && d.drained().isEmpty();
        if (!draining) {
            step.send(new CoordinatorMessage.Hello(
                    config.self(), config.worldSize(), config.protocolVersion(), step.promised));
        }
        step.start(
                RankTimer.HELLO,
                step.phase instanceof Greeting
                        ? config.timing().helloFast()
                        : config.timing().helloSlow());
    }

    private void forget(RankStep step) {
        step.forgetting = true;
        step.send(new CoordinatorMessage.ForgetRefusals(config.self()));
        step.resend();
    }

    private void resend(RankStep step) {
        boolean outstanding = step.leaving || step.forgetting;
        if (step.forgetting) {
            step.send(new CoordinatorMessage.ForgetRefusals(config.self()));
        }
        if (step.leaving) {
            step.send(new CoordinatorMessage.Leaving(config.self()));
        }
        if (step.phase instanceof Entered entered) {
            outstanding = true;
            step.send(new CoordinatorMessage.CommitAcknowledged(config.self(), entered.epoch()));
        } else if (step.phase instanceof Draining draining) {
            outstanding = true;
            DrainRules.tellAgain(step, draining);
        }
        if (outstanding) {
            step.resend();
        }
    }

    private void welcomed(RankStep step) {
        if (step.phase instanceof Greeting) {
            step.phase = new Idle();
            step.start(RankTimer.HELLO, config.timing().helloSlow());
        }
    }

    private void claimed(RankStep step, Claim claim) {
        if (step.promised.isAfter(claim.term())) {
            step.send(new CoordinatorMessage.ClaimRefused(config.self(), claim.term(), step.promised));
            return;
        }
        step.promised = claim.term();
        welcomed(step);
        step.send(new CoordinatorMessage.Promised(
                config.self(), claim.term(), step.highestEpoch(), step.phase.held(), step.drained()));
    }
}
