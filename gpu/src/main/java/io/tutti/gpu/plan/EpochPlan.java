package io.tutti.gpu.plan;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all ranks of an epoch do alike. Ranks compute it from the same facts and compare its hash before any of them
 * allocates.
 *
 * @param path the path
 * @param handleKinds the handle kind of each pair class that occurs; empty for a world of one
 * @param workspace the workspace's sizes
 * @param ranksPerDevice the most ranks that one device has; 1 but for tests
 * @param algorithm the forced algorithm, or empty to choose by size
 * @param rejected one entry for every path above {@code path}, then one for each handle kind of {@code path} that was
 *     refused when it was tried
 */
public record EpochPlan(
        PathKind path,
        Map<PairClass, HandleKind> handleKinds,
        WorkspaceSpec workspace,
        int ranksPerDevice,
        Optional<Algorithm> algorithm,
        List<RejectedPath> rejected) {

    public EpochPlan {
        handleKinds = Map.copyOf(handleKinds);
        rejected = List.copyOf(rejected);
    }
}
