package io.tutti.gpu.plan;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.workspace.StageTuning;
import io.tutti.gpu.workspace.WorkspaceSpec;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only place that chooses: a pure function of all ranks' facts, the policy and what already failed. Paths are
 * judged best first by one {@link PathRule} each; the first that no fact, policy or exclusion rules out is taken, and
 * every path above it leaves its reason.
 */
public final class PathPlanner {

    private static final List<PathRule> RULES = List.of(new NvlsRule(), new P2pRule());

    private PathPlanner() {}

    /** The paths that this build has, best first. */
    public static List<PathKind> paths() {
        return RULES.stream().map(PathRule::path).toList();
    }

    /**
     * Plans one epoch. Where nothing that is allowed works, the advice says what to allow.
     *
     * @param facts all ranks' facts, in rank order, one per rank from 0
     * @param policy what the site allows; equal on all ranks
     * @param exclusions what failed when tried
     */
    public static PlanningResult plan(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        Optional<ErrorInfo> contradiction = WorldCheck.contradiction(facts, policy);
        if (contradiction.isPresent()) {
            return new PlanningResult.Refused(contradiction.get(), List.of());
        }
        PlanningResult result = choose(facts, policy, exclusions);
        return result instanceof PlanningResult.Refused refused
                        && !refused.rejected().isEmpty()
                ? new PlanningResult.Refused(
                        Alternatives.advise(refused.error(), facts, policy, exclusions), refused.rejected())
                : result;
    }

    /** The first path that is left, of ranks that do not contradict each other. */
    static PlanningResult choose(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        WorkspaceSpec workspace;
        try {
            workspace = WorkspaceSpecs.forBudget(
                    facts.size(),
                    policy.workspaceBytes(),
                    StageTuning.forDriver(facts.get(0).driver().name()));
        } catch (TuttiException e) {
            return new PlanningResult.Refused(e.info(), List.of());
        }
        List<RejectedPath> rejected = new ArrayList<>();
        @Nullable ErrorInfo reason = null;
        for (PathRule rule : RULES) {
            PathRule.Verdict verdict = judge(rule, facts, policy, exclusions);
            if (verdict instanceof PathRule.Verdict.Accepted accepted) {
                rejected.addAll(refusedKinds(rule.path(), exclusions));
                return new PlanningResult.Planned(new EpochPlan(
                        rule.path(),
                        accepted.handleKinds(),
                        workspace,
                        WorldCheck.ranksPerDevice(facts),
                        policy.algorithm(),
                        rejected));
            }
            PathRule.Verdict.Rejected refusal = (PathRule.Verdict.Rejected) verdict;
            rejected.add(refusal.row());
            // The path a user asked for is the one whose reason matters; ruled out by policy is not a reason to show.
            if (policy.paths().contains(rule.path())) {
                reason = refusal.error();
            }
        }
        return new PlanningResult.Refused(reason != null ? reason : nothingAllowed(facts.size(), policy), rejected);
    }

    /** Handle kinds that were promised and refused when tried, on a path that works without them. */
    private static List<RejectedPath> refusedKinds(PathKind path, List<Exclusion> exclusions) {
        return exclusions.stream()
                .filter(exclusion -> exclusion.path() == path && exclusion.kind() != null)
                .map(exclusion -> PathRule.Verdict.tried(exclusion).row())
                .toList();
    }

    private static PathRule.Verdict judge(
            PathRule rule, List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        if (!policy.paths().contains(rule.path())) {
            return PathRule.Verdict.byPolicy(
                    rule.path(), "Allow it with --path or tutti.paths (NCCL_NVLS_ENABLE=0 forbids nvls as well).");
        }
        for (Exclusion exclusion : exclusions) {
            if (exclusion.path() == rule.path() && exclusion.kind() == null) {
                return PathRule.Verdict.tried(exclusion);
            }
        }
        return rule.judge(facts, policy, exclusions);
    }

    private static ErrorInfo nothingAllowed(int worldSize, Policy policy) {
        return ErrorInfo.of(
                ErrorCode.PREFLIGHT,
                "no path of this build is allowed: allowed="
                        + policy.paths().stream()
                                .map(PathKind::wireName)
                                .sorted()
                                .toList() + " worldSize=" + worldSize,
                "");
    }

    /** The plan, or the refusal as an exception. */
    public static EpochPlan require(PlanningResult result) {
        if (result instanceof PlanningResult.Planned planned) {
            return planned.plan();
        }
        throw new TuttiException(((PlanningResult.Refused) result).error());
    }
}
