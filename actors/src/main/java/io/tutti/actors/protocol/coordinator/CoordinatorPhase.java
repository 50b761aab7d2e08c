package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What a coordinator is doing. */
public sealed interface CoordinatorPhase {

    /**
     * Waiting for the hellos of all ranks.
     *
     * @param cause why some rank is missing again, or empty at the start
     */
    record Gathering(Optional<ErrorInfo> cause) implements CoordinatorPhase {}

    /** Waiting for all ranks' promises of the state's term. */
    record Claiming(SortedMap<Integer, Promised> promises) implements CoordinatorPhase {}

    /**
     * Waiting for all ranks' answers to one stage.
     *
     * @param facts all ranks' facts, empty before {@link Stage#PLAN}
     * @param plan the plan, empty before {@link Stage#PLAN}
     * @param input what the stage's order carries
     * @param answers the answers so far
     * @param failures the refusals among them, in the order of arrival
     */
    record Forming(
            EpochId epoch,
            Stage stage,
            List<RankFacts> facts,
            Optional<EpochPlan> plan,
            StageInput input,
            SortedMap<Integer, StageOutcome> answers,
            List<StageFailure> failures)
            implements CoordinatorPhase {
        public Forming {
            facts = List.copyOf(facts);
            failures = List.copyOf(failures);
        }
    }

    /** Waiting for all ranks to acknowledge the commit. */
    record Committing(EpochId epoch, EpochPlan plan, SortedSet<Integer> acknowledged) implements CoordinatorPhase {}

    /** All ranks are in the epoch. */
    record Running(EpochId epoch, EpochPlan plan) implements CoordinatorPhase {}

    /**
     * Waiting for all members of the epoch to drain.
     *
     * @param members who was in the epoch
     * @param holding the epoch that each member ends: all the same, except after a predecessor
     * @param plan the epoch's plan where one was agreed
     * @param reason why it ends
     * @param drained the answers so far
     * @param reaped members whose process has ended
     * @param reports what failed on which rank, in the order of arrival
     */
    record Ending(
            SortedMap<Integer, Incarnation> members,
            SortedMap<Integer, EpochId> holding,
            Optional<EpochPlan> plan,
            EndReason reason,
            SortedMap<Integer, Drained> drained,
            SortedSet<Integer> reaped,
            List<OperationFailed> reports)
            implements CoordinatorPhase {
        public Ending {
            reports = List.copyOf(reports);
        }

        /** The number of the epoch that ends; the highest where members end different ones. */
        long newestEpoch() {
            return holding.values().stream().mapToLong(EpochId::epoch).max().orElse(0);
        }
    }

    /** Waiting before the next epoch is formed. */
    record Pausing() implements CoordinatorPhase {}

    /**
     * Another coordinator leads. This one says nothing, and waits whether ranks say hello to it all the same; then the
     * other is gone, or ranks are routed here.
     */
    record Standby(Term by) implements CoordinatorPhase {}

    /** Failed for good; every rank that speaks is told. */
    record Failed(ErrorInfo cause) implements CoordinatorPhase {}

    /** Closed; every rank that speaks is told. */
    record Closed(ErrorInfo cause) implements CoordinatorPhase {}

    /** Another coordinator leads and every rank listens to it; nothing is said any more. */
    record Superseded() implements CoordinatorPhase {}

    /**
     * A rank's refusal of a stage.
     *
     * @param error the rank's own words
     * @param kind the handle kind that failed, or null
     */
    record StageFailure(int rank, ErrorInfo error, @Nullable HandleKind kind) {}

    /** Why an epoch ends. */
    sealed interface EndReason {

        /** What the ranks are told first; what users are told is composed when all have drained. */
        ErrorInfo cause();

        /** A stage failed or was not answered. */
        record StageFailed(Stage stage, StageFailure failure) implements EndReason {
            @Override
            public ErrorInfo cause() {
                return failure.error();
            }
        }

        /** No path is left, or ranks disagree on what they must agree on. */
        record Hopeless(ErrorInfo cause) implements EndReason {}

        /** An operation failed on some rank. */
        record OperationEnded(ErrorInfo cause) implements EndReason {}

        /** A member was lost or replaced. */
        record MemberLost(ErrorInfo cause) implements EndReason {}

        /** The communicator is being closed. */
        record Closing(ErrorInfo cause) implements EndReason {}

        /** A former coordinator left the epoch behind. */
        record Inherited(ErrorInfo cause) implements EndReason {}
    }

    /** Offers of all ranks, in rank order, from the answers to {@link Stage#EXPORT}. */
    static List<MemoryOffer> offers(Map<Integer, StageOutcome> answers) {
        return answers.values().stream()
                .filter(StageOutcome.Exported.class::isInstance)
                .flatMap(answer -> ((StageOutcome.Exported) answer).offers().stream())
                .toList();
    }
}
