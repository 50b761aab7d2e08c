package io.tutti.gpu.plan;

import io.tutti.gpu.ErrorInfo;
import java.util.List;

/** The planner's answer. */
public sealed interface PlanningResult {

    /** A path works on paper. */
    record Planned(EpochPlan plan) implements PlanningResult {}

    /**
     * No allowed path works for all ranks.
     *
     * @param error the most preferred path's reason, with rank, call and result where it has them
     * @param rejected one entry for every path
     */
    record Refused(ErrorInfo error, List<RejectedPath> rejected) implements PlanningResult {
        public Refused {
            rejected = List.copyOf(rejected);
        }
    }
}
