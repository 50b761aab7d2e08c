package io.tutti.gpu.plan;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What to allow where nothing that is allowed works: found by planning again with more allowed. */
final class Alternatives {

    private static final String NOTHING =
            "No other path or handle kind that this build has would work between these ranks.";

    private Alternatives() {}

    /** The same error, whose advice also says what would work instead. */
    static ErrorInfo advise(ErrorInfo error, List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        String advice = (error.advice() + " " + advice(facts, policy, exclusions)).strip();
        return new ErrorInfo(error.code(), error.rank(), error.call(), error.result(), error.message(), advice);
    }

    private static String advice(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        Set<PathKind> allPaths = Set.copyOf(PathPlanner.paths());
        Set<HandleKind> allKinds = Set.of(HandleKind.values());
        return path(facts, allowing(policy, allPaths, policy.handleKinds()), exclusions)
                .map(plan -> pathWords(plan) + ".")
                .or(() -> path(facts, allowing(policy, policy.paths(), allKinds), exclusions)
                        .map(plan -> kindWords(plan) + "."))
                .or(() -> path(facts, allowing(policy, allPaths, allKinds), exclusions)
                        .map(plan -> pathWords(plan) + ", with other handle kinds: " + kindWords(plan) + "."))
                .orElse(NOTHING);
    }

    private static Optional<EpochPlan> path(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        return PathPlanner.choose(facts, policy, exclusions) instanceof PlanningResult.Planned planned
                ? Optional.of(planned.plan())
                : Optional.empty();
    }

    private static Policy allowing(Policy policy, Set<PathKind> paths, Set<HandleKind> kinds) {
        return new Policy(paths, kinds, policy.algorithm(), policy.workspaceBytes(), policy.shareDevices());
    }

    private static String pathWords(EpochPlan plan) {
        return "By these ranks' facts " + plan.path().wireName() + " would work: allow it with --path or tutti.paths";
    }

    private static String kindWords(EpochPlan plan) {
        List<String> kinds = new TreeSet<>(plan.handleKinds().values())
                .stream().map(HandleKind::wireName).toList();
        return "By these ranks' facts the handle kinds " + kinds
                + " would work: allow them with --handles or tutti.handle-kinds";
    }
}
