package io.tutti.launcher.preflight;

import io.tutti.actors.api.Communicator;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.plan.PlanHash;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.util.List;
import java.util.Map;

/**
 * What the ranks of a communicator agreed on, and tried.
 *
 * @param epoch number of the epoch that was formed
 * @param path the path
 * @param handleKinds the handle kind of each pair class that occurs
 * @param workspaceBytes of one rank
 * @param hash of the plan
 * @param rejected why every better path was not taken, then which handle kinds of this path were refused
 */
public record Formed(
        long epoch,
        PathKind path,
        Map<PairClass, HandleKind> handleKinds,
        long workspaceBytes,
        String hash,
        List<RejectedPath> rejected) {

    public Formed {
        handleKinds = Map.copyOf(handleKinds);
        rejected = List.copyOf(rejected);
    }

    static Formed of(Communicator communicator) {
        EpochPlan plan = communicator.plan();
        return new Formed(
                communicator.epoch().epoch(),
                plan.path(),
                plan.handleKinds(),
                WorkspaceLayout.of(plan.workspace()).totalBytes(),
                PlanHash.of(plan, KernelAbi.VERSION),
                plan.rejected());
    }
}
