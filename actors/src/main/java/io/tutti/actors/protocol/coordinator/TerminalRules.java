package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Closed;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Failed;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Superseded;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import java.util.Optional;

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

    /**
     * A rank that speaks to a communicator that has ended is told so, each time; but not when it only refuses to hear
     * it, or the two would never stop. Its next hello tells the term that it listens to.
     */
    static void answer(Step step, CoordinatorMessage message) {
        if (message instanceof Hello hello) {
            step.heardOf(hello.promised());
        }
        if (!(message instanceof ClaimRefused)) {
            cause(step.phase)
                    .ifPresent(cause -> step.send(new RankMessage.Failed(step.highestTerm(), message.from(), cause)));
        }
    }

    private static Optional<ErrorInfo> cause(CoordinatorPhase phase) {
        if (phase instanceof Failed failed) {
            return Optional.of(failed.cause());
        }
        return phase instanceof Closed closed ? Optional.of(closed.cause()) : Optional.empty();
    }
}
