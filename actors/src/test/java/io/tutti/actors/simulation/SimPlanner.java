package io.tutti.actors.simulation;

import io.tutti.actors.protocol.Planner;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.HostFacts;
import io.tutti.gpu.plan.LinkFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.gpu.plan.SharingFacts;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A planner with the shape of the real one: best path first, two handle kinds on one of them, nothing when all fail. */
public final class SimPlanner implements Planner {

    private static final List<HandleKind> KINDS = List.of(HandleKind.IN_PROCESS, HandleKind.POSIX_FD);

    @Override
    public PlanningResult plan(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        long bytes = policy.workspaceBytes() == 0 ? 8L << 20 : policy.workspaceBytes();
        WorkspaceSpec spec = new WorkspaceSpec(facts.size(), bytes, bytes);
        List<RejectedPath> unready = unready(facts);
        if (unready.isEmpty() && allowed(exclusions, PathKind.NVLS, null)) {
            return planned(PathKind.NVLS, Map.of(), spec);
        }
        for (HandleKind kind : KINDS) {
            if (allowed(exclusions, PathKind.P2P, kind)) {
                return new PlanningResult.Planned(new EpochPlan(
                        PathKind.P2P, Map.of(PairClass.SAME_HOST, kind), spec, 1, Optional.empty(), unready));
            }
        }
        if (allowed(exclusions, PathKind.STAGED, null)) {
            return planned(PathKind.STAGED, Map.of(), spec);
        }
        return new PlanningResult.Refused(
                ErrorInfo.of(ErrorCode.PREFLIGHT, "no path is left", "Look at the reasons."), List.of());
    }

    /** The best path is out while a rank's multicast queries are refused. */
    private static List<RejectedPath> unready(List<RankFacts> facts) {
        return facts.stream()
                .filter(rank -> rank.multicast() instanceof MulticastAnswer.Refused)
                .map(rank -> {
                    MulticastAnswer.Refused refused = (MulticastAnswer.Refused) rank.multicast();
                    return new RejectedPath(
                            PathKind.NVLS, rank.rank(), "plan", refused.call(), refused.result(), refused.advice());
                })
                .toList();
    }

    private static boolean allowed(
            List<Exclusion> exclusions, PathKind path, @org.jspecify.annotations.Nullable HandleKind kind) {
        return exclusions.stream().noneMatch(e -> e.path() == path && (e.kind() == null || e.kind() == kind));
    }

    private static PlanningResult planned(PathKind path, Map<PairClass, HandleKind> kinds, WorkspaceSpec spec) {
        return new PlanningResult.Planned(new EpochPlan(path, kinds, spec, 1, Optional.empty(), List.of()));
    }

    @Override
    public String hash(EpochPlan plan) {
        return plan.path() + "/" + plan.handleKinds() + "/" + plan.workspace().oneShotBytes();
    }

    @Override
    public long workspaceBytes(EpochPlan plan) {
        return plan.workspace().oneShotBytes();
    }

    public static RankFacts facts(int rank, String processId) {
        return new RankFacts(
                rank,
                new HostFacts("host", "host", 0),
                new ProcessFacts(processId, "", "", Optional.empty()),
                new DriverFacts("host", 1, 1),
                new DeviceFacts(
                        rank,
                        new DeviceIdentity("simulated", "GPU-" + rank, "0000:0" + rank + ":00.0", 1L << 30),
                        90,
                        1,
                        1L << 30,
                        ConfidentialComputing.UNKNOWN),
                new SharingFacts(Set.of(), Set.of(), false, 1L << 16),
                new LinkFacts(Set.of(), new FabricInfo("", 0, "not-supported"), 0),
                new MulticastAnswer.Granularity(1L << 21));
    }
}
