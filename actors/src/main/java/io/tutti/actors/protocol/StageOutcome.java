package io.tutti.actors.protocol;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rank's answer to a stage. */
public sealed interface StageOutcome {

    /** The stage succeeded and has nothing to tell. */
    record Done() implements StageOutcome {}

    /** Answers {@link Stage#IDENTITY}. */
    record Facts(RankFacts facts) implements StageOutcome {}

    /** Answers {@link Stage#PLAN} with the hash of the plan that this rank computed. */
    record Planned(String planHash) implements StageOutcome {}

    /** Answers {@link Stage#EXPORT}: one offer for each handle kind of the plan. */
    record Exported(List<MemoryOffer> offers) implements StageOutcome {
        public Exported {
            offers = List.copyOf(offers);
        }
    }

    /**
     * The stage failed on this rank; the rank has undone nothing yet and waits for the abort.
     *
     * @param error this rank's own words
     * @param kind the handle kind that failed, or null when the failure is not one kind's
     */
    record Refused(ErrorInfo error, @Nullable HandleKind kind) implements StageOutcome {}
}
