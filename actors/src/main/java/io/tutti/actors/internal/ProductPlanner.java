package io.tutti.actors.internal;

import io.tutti.actors.protocol.Planner;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.PathPlanner;
import io.tutti.gpu.plan.PlanHash;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.util.List;

/** The planner that the protocol cores use in the product. */
enum ProductPlanner implements Planner {
    INSTANCE;

    @Override
    public PlanningResult plan(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        return PathPlanner.plan(facts, policy, exclusions);
    }

    @Override
    public String hash(EpochPlan plan) {
        return PlanHash.of(plan, KernelAbi.VERSION);
    }

    @Override
    public long workspaceBytes(EpochPlan plan) {
        return WorkspaceLayout.of(plan.workspace()).totalBytes();
    }
}
