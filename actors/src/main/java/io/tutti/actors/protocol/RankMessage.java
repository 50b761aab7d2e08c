package io.tutti.actors.protocol;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.op.CallDescriptor;
import java.util.Map;
import java.util.Set;

/**
 * What the coordinator says to a rank. Every message names the term of the coordinator that speaks and the incarnation
 * it is for, so that a rank can refuse what is stale without knowing how it travelled.
 */
public sealed interface RankMessage {

    /** The term under which the coordinator speaks. */
    Term term();

    /** The only life of the rank that may act on the message. */
    Incarnation to();

    /** The coordinator has seen this incarnation's hello; {@code term} is {@link Term#NONE} before its first claim. */
    record Welcome(Term term, Incarnation to) implements RankMessage {}

    /** A coordinator claims a term; answered by a promise or a refusal. */
    record Claim(Term term, Incarnation to) implements RankMessage {}

    /**
     * Carry out one stage and answer it. Sent again until answered.
     *
     * @param timeoutMillis how long the rank may take; the coordinator stops waiting a little later
     */
    record StageOrder(Incarnation to, EpochId epoch, Stage stage, StageInput input, long timeoutMillis)
            implements RankMessage {
        @Override
        public Term term() {
            return epoch.term();
        }
    }

    /** All ranks are armed: enter the epoch. Sent again until acknowledged. */
    record Commit(Incarnation to, EpochId epoch) implements RankMessage {
        @Override
        public Term term() {
            return epoch.term();
        }
    }

    /** All ranks have entered the epoch: users may see it. */
    record Committed(Incarnation to, EpochId epoch) implements RankMessage {
        @Override
        public Term term() {
            return epoch.term();
        }
    }

    /**
     * The epoch ends, formed or not: abort what runs, drain, and answer drained. Sent again until answered.
     *
     * @param epoch the epoch to end; one of an older term when a new coordinator ends what its predecessor left
     * @param cause the first failing rank's own words
     */
    record Abort(Term term, Incarnation to, EpochId epoch, ErrorInfo cause) implements RankMessage {}

    /**
     * Nobody waits for the epoch any more: operations that failed in it end with this error, and its memory is given
     * back, or abandoned when some rank may still write to it.
     *
     * @param cause why the epoch ended; for a mismatch it names both calls
     * @param undrained ranks that have neither drained nor been reaped; the memory is given back only if there is none
     * @param pending each drained rank's first call that did not complete, by rank
     * @param resubmittable whether all ranks have drained and none has retired a call that another has not
     */
    record EpochEnded(
            Term term,
            Incarnation to,
            EpochId epoch,
            ErrorInfo cause,
            Set<Integer> undrained,
            Map<Integer, CallDescriptor> pending,
            boolean resubmittable)
            implements RankMessage {
        public EpochEnded {
            undrained = Set.copyOf(undrained);
            pending = Map.copyOf(pending);
        }
    }

    /** What was refused will be tried again; answers {@link CoordinatorMessage.ForgetRefusals}, each time. */
    record RefusalsForgotten(Term term, Incarnation to) implements RankMessage {}

    /** The communicator has failed for good, or was closed (code CLOSED); no further epoch comes. */
    record Failed(Term term, Incarnation to, ErrorInfo cause) implements RankMessage {}
}
