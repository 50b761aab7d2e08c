package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.plan.EpochPlan;
import java.util.Map;

/** The paths that this build can carry calls by; each has a rule in {@link io.tutti.gpu.plan.PathPlanner} too. */
final class PathEpochs {

    /** Really allocates what an epoch needs on this rank, so that a rank without memory says so now. */
    @FunctionalInterface
    interface Opener {
        PathEpoch allocate(RankMachine machine, EpochId epoch, EpochPlan plan);
    }

    private static final Map<PathKind, Opener> PATHS = Map.of(PathKind.P2P, PeerEpoch::allocate);

    private PathEpochs() {}

    /** @throws TuttiException with nothing left behind */
    static PathEpoch allocate(RankMachine machine, EpochId epoch, EpochPlan plan) {
        Opener opener = PATHS.get(plan.path());
        if (opener == null) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.INTERNAL,
                    "this build cannot carry calls by the planned path: path="
                            + plan.path().wireName(),
                    "Report this; the planner offers a path that does not exist."));
        }
        return opener.allocate(machine, epoch, plan);
    }
}
