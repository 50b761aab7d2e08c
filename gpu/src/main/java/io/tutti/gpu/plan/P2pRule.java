package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code p2p}: every pair of ranks needs a peer path and one handle kind per pair class that policy allows, that nothing
 * excluded, and that both ends of every pair of the class promise. Kinds are tried in their declared order.
 */
final class P2pRule implements PathRule {

    @Override
    public PathKind path() {
        return PathKind.P2P;
    }

    @Override
    public Verdict judge(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        Map<PairClass, HandleKind> kinds = new EnumMap<>(PairClass.class);
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
            Optional<HandleKind> kind = firstWorking(pairs, pairClass, policy, exclusions);
            if (kind.isEmpty()) {
                return noKind(pairs, pairClass, policy, exclusions);
            }
            kinds.put(pairClass, kind.get());
        }
        return new Verdict.Accepted(kinds);
    }

    private static Optional<HandleKind> firstWorking(
            List<Pair> pairs, PairClass pairClass, Policy policy, List<Exclusion> exclusions) {
        for (HandleKind kind : HandleKind.values()) {
            if (HandleReach.reaches(kind, pairClass)
                    && policy.handleKinds().contains(kind)
                    && exclusions.stream().noneMatch(e -> e.path() == PathKind.P2P && e.kind() == kind)
                    && pairs.stream().allMatch(pair -> pair.promises(kind))) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static Verdict noPeerPath(Pair pair) {
        return Verdict.byPlacement(
                PathKind.P2P,
                pair.one().rank(),
                "rank " + pair.one().rank() + " (device " + pair.one().device().uuid() + ") has no peer path to rank "
                        + pair.other().rank() + " (device "
                        + pair.other().device().uuid() + ")",
                "Place the ranks on devices that are peers, or allow a path that needs none.");
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
