package io.tutti.gpu.plan;

import io.tutti.gpu.PathKind;
import java.util.List;

/** {@code nvls}: every rank's multicast queries must succeed, and the build must be able to bind a multicast object. */
final class NvlsRule implements PathRule {

    @Override
    public PathKind path() {
        return PathKind.NVLS;
    }

    @Override
    public Verdict judge(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions) {
        for (RankFacts rank : facts) {
            if (rank.multicast() instanceof MulticastAnswer.Refused refused) {
                return Verdict.byCall(PathKind.NVLS, rank.rank(), refused.call(), refused.result(), refused.advice());
            }
        }
        if (facts.size() == 1) {
            return Verdict.byPlacement(
                    PathKind.NVLS, null, "a world of one has no peer to reach by multicast", "Nothing to do.");
        }
        return Verdict.byPlacement(
                PathKind.NVLS,
                null,
                "this build only queries multicast and binds no multicast object",
                "Nothing to do where another path carries the communicator.");
    }
}
