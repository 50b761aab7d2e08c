package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Closed;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Failed;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Superseded;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;

/** The phases Failed, Closed and Superseded: no timer runs, and nothing but an answer is ever said again. */
final class TerminalRules {

    private TerminalRules() {}

    static boolean isTerminal(CoordinatorPhase phase) {
        return phase instanceof Failed || phase instanceof Closed || phase instanceof Superseded;
    }

    static void fail(Step step, ErrorInfo cause) {
        end(step, new Failed(cause), cause);
        step.publish(new CoordinatorNotice.Failed(cause));
    }

    static void close(Step step, ErrorInfo cause) {
        end(step, new Closed(cause), cause);
        step.publish(new CoordinatorNotice.Closed(cause));
    }

    static void supersede(Step step, Term by) {
        step.phase = new Superseded();
        step.noDeadline();
        step.noResend();
        step.publish(new CoordinatorNotice.Superseded(by));
    }

    private static void end(Step step, CoordinatorPhase phase, ErrorInfo cause) {
        step.phase = phase;
        step.noDeadline();
        step.noResend();
        if (!step.led() || !step.promised()) {
            step.takeTerm();
        }
        step.present().values().forEach(rank -> step.send(new RankMessage.Failed(step.term(), rank, cause)));
    }

    /** A rank that speaks to a communicator that has ended is told so, each time. */
    static void answer(Step step, CoordinatorMessage message) {
        Incarnation to = message.from();
        if (step.phase instanceof Failed failed) {
            step.send(new RankMessage.Failed(step.term(), to, failed.cause()));
        } else if (step.phase instanceof Closed closed) {
            step.send(new RankMessage.Failed(step.term(), to, closed.cause()));
        }
    }
}
