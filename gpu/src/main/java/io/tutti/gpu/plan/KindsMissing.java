package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says of every handle kind why it does not serve a pair of ranks: it does not reach, is not allowed, or is lacking. */
final class KindsMissing {

    private KindsMissing() {}

    static PathRule.Verdict.Rejected between(List<Pair> pairs, PairClass pairClass, Policy policy) {
        List<HandleKind> allowed = HandleReach.reaching(pairClass).stream()
                .filter(policy.handleKinds()::contains)
                .toList();
        for (HandleKind kind : allowed) {
            for (Pair pair : pairs) {
                Optional<RankFacts> lacking = lacking(pair, kind);
                if (lacking.isPresent()) {
                    return lacked(pair, pairClass, policy, allowed, lacking.get());
                }
            }
        }
        Pair first = pairs.get(0);
        return PathRule.Verdict.byPlacement(
                PathKind.P2P,
                first.one().rank(),
                message(first, pairClass, policy),
                "Allow a kind that reaches, with --handles or tutti.handle-kinds.");
    }

    private static PathRule.Verdict.Rejected lacked(
            Pair pair, PairClass pairClass, Policy policy, List<HandleKind> allowed, RankFacts rank) {
        String facts = "; rank " + rank.rank() + " can export " + names(rank.exportable()) + ": host="
                + rank.host().name() + " device=" + rank.deviceUuid() + " fabric="
                + rank.fabric().state();
        String needs = allowed.stream()
                .filter(kind -> !pair.promises(kind))
                .map(kind -> kind.wireName() + " needs " + HandleReach.needs(kind) + ".")
                .collect(Collectors.joining(" "));
        return PathRule.Verdict.byPlacement(PathKind.P2P, rank.rank(), message(pair, pairClass, policy) + facts, needs);
    }

    private static String message(Pair pair, PairClass pairClass, Policy policy) {
        List<String> reasons = new ArrayList<>();
        for (HandleKind kind : HandleKind.values()) {
            reasons.add(kind.wireName() + "=" + reason(pair, pairClass, policy, kind));
        }
        return "no handle kind that is allowed works between rank "
                + pair.one().rank() + " and rank " + pair.other().rank() + ", which are " + pairClass.inWords() + ": "
                + String.join(" ", reasons);
    }

    private static String reason(Pair pair, PairClass pairClass, Policy policy, HandleKind kind) {
        if (!HandleReach.reaches(kind, pairClass)) {
            return "out-of-reach";
        }
        if (!policy.handleKinds().contains(kind)) {
            return "not-allowed";
        }
        return lacking(pair, kind).map(rank -> "lacking-on-rank-" + rank.rank()).orElse("lacking-elsewhere");
    }

    private static Optional<RankFacts> lacking(Pair pair, HandleKind kind) {
        return Stream.of(pair.one(), pair.other())
                .filter(rank -> !rank.exportable().contains(kind))
                .findFirst();
    }

    private static List<String> names(Set<HandleKind> kinds) {
        return kinds.stream()
                .sorted(Comparator.naturalOrder())
                .map(HandleKind::wireName)
                .toList();
    }
}
