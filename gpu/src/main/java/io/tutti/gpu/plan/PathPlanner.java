package io.tutti.gpu.plan;

import java.util.List;

/** The only place that chooses: a pure function of all ranks' facts, the policy and what already failed. */
public final class PathPlanner {

    private PathPlanner() {}

    /**
     * Plans one epoch.
     *
     * @param facts all ranks' facts, in rank order, one per rank from 0
     * @param policy what the site allows; equal on all ranks
     * @param exclusions what failed when tried
     */
    public static PlanningResult plan(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        throw new IllegalStateException();
    }
}
