package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.Exclusion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a coordinator tells logs and users about a communicator's life. */
public sealed interface CoordinatorNotice {

    /** All ranks have promised the term. */
    record Leading(Term term) implements CoordinatorNotice {}

    /** A rank's incarnation said hello for the first time. */
    record RankJoined(Incarnation rank) implements CoordinatorNotice {}

    /** A rank's incarnation is no longer counted on. */
    record RankDropped(Incarnation rank, ErrorInfo cause) implements CoordinatorNotice {}

    /** All ranks were ordered to carry out the stage. */
    record StageStarted(EpochId epoch, Stage stage) implements CoordinatorNotice {}

    /** All ranks have entered the epoch. */
    record EpochCommitted(EpochId epoch, EpochPlan plan) implements CoordinatorNotice {}

    /**
     * The epoch ended, formed or not.
     *
     * @param plan its plan, empty when it ended before one was agreed
     * @param abandonedRanks how many ranks neither drained nor were reaped
     */
    record EpochEnded(EpochId epoch, Optional<EpochPlan> plan, ErrorInfo cause, int abandonedRanks)
            implements CoordinatorNotice {}

    /** Another epoch is formed after the delay. */
    record Retrying(ErrorInfo cause, Optional<Exclusion> excluded, Duration delay) implements CoordinatorNotice {}

    /** An epoch is formed again, without what was refused before. */
    record NotTriedAgain(List<Exclusion> refusals) implements CoordinatorNotice {
        public NotTriedAgain {
            refusals = List.copyOf(refusals);
        }
    }

    /**
     * What was refused before is tried again from now on.
     *
     * @param why for people
     */
    record RefusalsForgotten(List<Exclusion> refusals, String why) implements CoordinatorNotice {
        public RefusalsForgotten {
            refusals = List.copyOf(refusals);
        }
    }

    /** The communicator has failed for good. */
    record Failed(ErrorInfo cause) implements CoordinatorNotice {}

    /** The communicator was closed. */
    record Closed(ErrorInfo cause) implements CoordinatorNotice {}

    /** Another coordinator leads; this one waits whether any rank still turns to it. */
    record SteppedBack(Term by) implements CoordinatorNotice {}

    /** Another coordinator leads; this one does nothing more. */
    record Superseded(Term by) implements CoordinatorNotice {}
}
