package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code p2p}: every pair of ranks needs a peer path and one handle kind per pair class that policy allows, that nothing
 * excluded, and that both ends of every pair of the class promise. Kinds are tried in their declared order; those of all
 * classes must go together, since a rank has one workspace.
 */
final class P2pRule implements PathRule {

    @Override
    public PathKind path() {
        return PathKind.P2P;
    }

    @Override
    public Verdict judge(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        Map<PairClass, List<HandleKind>> working = new EnumMap<>(PairClass.class);
        for (PairClass pairClass : PairClass.values()) {
            List<Pair> pairs = Pair.ofClass(facts, pairClass);
            if (pairs.isEmpty()) {
                continue;
            }
            Optional<Pair> apart =
                    pairs.stream().filter(pair -> !pair.hasPeerPath()).findFirst();
            if (apart.isPresent()) {
                return noPeerPath(apart.get());
            }
            List<HandleKind> kinds = working(pairs, pairClass, policy, exclusions);
            if (kinds.isEmpty()) {
                return noKind(pairs, pairClass, policy, exclusions);
            }
            working.put(pairClass, kinds);
        }
        return together(List.copyOf(working.keySet()), working, Map.of())
                .<Verdict>map(Verdict.Accepted::new)
                .orElseGet(() -> notTogether(working));
    }

    private static List<HandleKind> working(
            List<Pair> pairs, PairClass pairClass, Policy policy, List<Exclusion> exclusions) {
        return HandleReach.reaching(pairClass).stream()
                .filter(policy.handleKinds()::contains)
                .filter(kind -> exclusions.stream().noneMatch(e -> e.path() == PathKind.P2P && e.kind() == kind))
                .filter(kind -> pairs.stream().allMatch(pair -> pair.promises(kind)))
                .toList();
    }

    /** The first kind that works for each class, such that one workspace serves all of them. */
    private static Optional<Map<PairClass, HandleKind>> together(
            List<PairClass> open, Map<PairClass, List<HandleKind>> working, Map<PairClass, HandleKind> chosen) {
        if (open.isEmpty()) {
            return Optional.of(chosen);
        }
        PairClass next = open.get(0);
        for (HandleKind kind : working.getOrDefault(next, List.of())) {
            if (chosen.values().stream().allMatch(other -> HandleReach.together(kind, other))) {
                Map<PairClass, HandleKind> more = new EnumMap<>(PairClass.class);
                more.putAll(chosen);
                more.put(next, kind);
                Optional<Map<PairClass, HandleKind>> all = together(open.subList(1, open.size()), working, more);
                if (all.isPresent()) {
                    return all;
                }
            }
        }
        return Optional.empty();
    }

    private static Verdict notTogether(Map<PairClass, List<HandleKind>> working) {
        List<String> kinds = working.entrySet().stream()
                .map(entry -> entry.getKey().inWords() + ": "
                        + entry.getValue().stream().map(HandleKind::wireName).toList())
                .toList();
        return Verdict.byPlacement(
                PathKind.P2P,
                null,
                "no one workspace serves the handle kinds that work between ranks " + String.join(", ", kinds)
                        + ": legacy-ipc takes plain memory, posix-fd and fabric take virtual memory",
                "Allow in-process, which goes with every kind.");
    }

    private static boolean isSlice(RankFacts rank) {
        return rank.deviceUuid().startsWith("MIG-");
    }

    private static Verdict noPeerPath(Pair pair) {
        return Verdict.byPlacement(
                PathKind.P2P,
                pair.one().rank(),
                "rank " + pair.one().rank() + " (device " + pair.one().deviceUuid() + ") has no peer path to rank "
                        + pair.other().rank() + " (device " + pair.other().deviceUuid() + ")" + pair.apart(),
                (isSlice(pair.one()) || isSlice(pair.other()) ? "MIG slices have no peers. " : "")
                        + "Place the ranks on devices that are peers, or allow a path that needs none.");
    }

    private static Verdict noKind(List<Pair> pairs, PairClass pairClass, Policy policy, List<Exclusion> exclusions) {
        Optional<Exclusion> tried = exclusions.stream()
                .filter(e -> e.path() == PathKind.P2P && e.kind() != null && HandleReach.reaches(e.kind(), pairClass))
                .findFirst();
        if (tried.isPresent()) {
            return Verdict.tried(tried.get());
        }
        return KindsMissing.between(pairs, pairClass, policy);
    }
}
