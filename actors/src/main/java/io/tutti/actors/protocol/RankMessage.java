package io.tutti.actors.protocol;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.op.CallDescriptor;
import java.util.Map;

/** What the coordinator says to a rank. */
public sealed interface RankMessage {

    /** The coordinator has seen this incarnation's hello. */
    record Welcome(Term term, Incarnation to) implements RankMessage {}

    /** A coordinator claims a term; answered by a promise or a refusal. */
    record Claim(Term term, Incarnation to) implements RankMessage {}

    /**
     * Carry out one stage and answer it.
     *
     * @param timeoutMillis how long the rank may take; the coordinator stops waiting a little later
     */
    record StageOrder(EpochId epoch, Stage stage, StageInput input, long timeoutMillis) implements RankMessage {}

    /** All ranks are armed: enter the epoch. Sent again until acknowledged. */
    record Commit(EpochId epoch) implements RankMessage {}

    /** All ranks have entered the epoch: users may see it. */
    record Committed(EpochId epoch) implements RankMessage {}

    /**
     * The epoch ends, formed or not: abort what runs, drain, and answer drained.
     *
     * @param cause the first failing rank's own words
     */
    record Abort(EpochId epoch, ErrorInfo cause) implements RankMessage {}

    /**
     * All ranks have drained, or are gone: its memory may be given back, and operations that failed in it end with this
     * error.
     *
     * @param cause why the epoch ended; for a mismatch it names both calls
     * @param pending each rank's first call that did not complete, by rank
     */
    record EpochEnded(EpochId epoch, ErrorInfo cause, Map<Integer, CallDescriptor> pending) implements RankMessage {
        public EpochEnded {
            pending = Map.copyOf(pending);
        }
    }

    /** The communicator has failed for good or was closed; no further epoch comes. */
    record Failed(Term term, ErrorInfo cause) implements RankMessage {}
}
