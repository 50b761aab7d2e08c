package io.tutti.actors.protocol;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.op.CallDescriptor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a rank says to its communicator's coordinator. */
public sealed interface CoordinatorMessage {

    /** Which life of which rank speaks. */
    Incarnation from();

    /**
     * Repeated until answered and then at a slow interval, so that a coordinator that moved learns of every rank.
     *
     * @param worldSize the world size that this rank was configured with
     * @param protocolVersion of this build
     * @param promised the highest term that this rank has promised, or {@link Term#NONE}; a new coordinator claims
     *     above it
     */
    record Hello(Incarnation from, int worldSize, int protocolVersion, Term promised) implements CoordinatorMessage {}

    /**
     * The rank promises to answer no smaller term.
     *
     * @param highestEpoch the highest epoch number this rank ever heard of, or 0
     * @param held the epoch whose resources the rank still holds; the new coordinator ends it before it forms its own
     * @param drained the last epoch that this incarnation has drained
     */
    record Promised(Incarnation from, Term term, long highestEpoch, Optional<EpochId> held, Optional<EpochId> drained)
            implements CoordinatorMessage {}

    /**
     * The rank has promised {@code highest}, which is after the term that was claimed, or after the term of an order
     * that it refuses: the coordinator has been superseded.
     */
    record ClaimRefused(Incarnation from, Term claimed, Term highest) implements CoordinatorMessage {}

    /**
     * The answer to one stage's order; every rank answers every stage. A rank that stopped waiting for a commit refuses
     * {@link Stage#COMMIT}.
     */
    record StageAnswer(Incarnation from, EpochId epoch, Stage stage, StageOutcome outcome)
            implements CoordinatorMessage {}

    /** The rank has entered the epoch; answers {@link RankMessage.Commit}, again for each repetition. */
    record CommitAcknowledged(Incarnation from, EpochId epoch) implements CoordinatorMessage {}

    /**
     * An operation ended without success on this rank.
     *
     * @param sequence the launch's number in the epoch
     * @param missingRank the rank that did not arrive, or whose call did not match, or null where unknown
     * @param error this rank's own words
     */
    record OperationFailed(
            Incarnation from,
            EpochId epoch,
            long sequence,
            @Nullable Integer missingRank,
            ErrorInfo error) implements CoordinatorMessage {}

    /**
     * The rank's streams are synchronised after its own abort of the epoch; no kernel of it will store again.
     *
     * @param retired the last sequence that completed with success on this rank
     * @param pending the first call that did not, if one was made
     */
    record Drained(Incarnation from, EpochId epoch, long retired, Optional<CallDescriptor> pending)
            implements CoordinatorMessage {}

    /**
     * The rank leaves for good: its communicator was closed or its process ends. Whatever it called has completed or
     * failed, and it calls nothing more. Repeated until the coordinator answers that the communicator is closed.
     */
    record Leaving(Incarnation from) implements CoordinatorMessage {}

    /**
     * Paths and handle kinds that were refused are to be tried again when the next epoch is formed. Repeated until
     * answered.
     */
    record ForgetRefusals(Incarnation from) implements CoordinatorMessage {}
}
