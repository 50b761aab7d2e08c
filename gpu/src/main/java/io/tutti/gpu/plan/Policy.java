package io.tutti.gpu.plan;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.util.Optional;
import java.util.Set;

/**
 * What the site allows and wants; equal on all ranks of a communicator.
 *
 * @param paths allowed paths
 * @param handleKinds allowed handle kinds
 * @param algorithm the algorithm to use, or empty to choose by size
 * @param workspaceBytes budget for one rank's workspace, or 0 to derive it from the world size
 * @param shareDevices whether several ranks may use one device (tests only)
 */
public record Policy(
        Set<PathKind> paths,
        Set<HandleKind> handleKinds,
        Optional<Algorithm> algorithm,
        long workspaceBytes,
        boolean shareDevices) {

    public Policy {
        paths = Set.copyOf(paths);
        handleKinds = Set.copyOf(handleKinds);
    }

    /** Everything that this build has is allowed, and nothing is forced. */
    public static Policy standard() {
        return new Policy(Set.copyOf(PathPlanner.paths()), Set.of(HandleKind.values()), Optional.empty(), 0, false);
    }
}
