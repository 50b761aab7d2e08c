package io.tutti.actors.protocol;

import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;

/**
 * What the cores need from planning. Implementations are pure: all ranks and the coordinator get equal answers from
 * equal arguments.
 */
public interface Planner {

    PlanningResult plan(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions);

    /** The same for equal plans, in every process and build of one ABI version; covers layout and launch geometry. */
    String hash(EpochPlan plan);

    /** Bytes of device memory that one rank's workspace takes under the plan. */
    long workspaceBytes(EpochPlan plan);

    /**
     * Plans with the policy's workspace budget lowered.
     *
     * @param workspaceLimit bytes, or 0 to keep the policy's own budget
     */
    default PlanningResult plan(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions, long workspaceLimit) {
        if (workspaceLimit == 0) {
            return plan(facts, policy, exclusions);
        }
        Policy lowered = new Policy(
                policy.paths(), policy.handleKinds(), policy.algorithm(), workspaceLimit, policy.shareDevices());
        return plan(facts, lowered, exclusions);
    }
}
