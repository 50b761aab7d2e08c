package io.tutti.gpu.op;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.util.Optional;

/**
 * Whether and how a call fits a workspace: the one function that the gate, the planner and the launch ask. A pure function
 * of inputs that all ranks agree on, since ranks that choose differently never match.
 */
public final class Fits {

    /** What a rank may send in all by one-shot; above it a second step costs less than sending everything to everybody. */
    private static final long ONE_SHOT_SENT_BYTES = 96L << 10;

    /** With two ranks both algorithms move the same bytes, and one-shot needs one step less. */
    private static final int ALWAYS_ONE_SHOT_WORLD = 2;

    private Fits() {}

    /**
     * Chooses the algorithm and cuts the call into chunks.
     *
     * @param workspace the epoch's workspace
     * @param forced the algorithm that the plan asks for, or empty to choose by size
     * @throws TuttiException with code USAGE when not even one token fits, or the call needs too many launches
     */
    public static LaunchPlan plan(
            WorkspaceSpec workspace, Optional<Algorithm> forced, long tokens, long hidden, DType dtype) {
        long rowBytes = hidden * dtype.bytes();
        Algorithm algorithm = forced.orElseGet(() -> choose(workspace, tokens, rowBytes));
        long capacity = algorithm == Algorithm.ONE_SHOT ? workspace.oneShotBytes() : workspace.twoShotBytes();
        long chunkTokens = Math.min(tokens, capacity / rowBytes);
        if (chunkTokens == 0) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "one token does not fit the workspace: rowBytes=" + rowBytes + " capacity=" + capacity
                            + " algorithm=" + algorithm.wireName() + " worldSize=" + workspace.worldSize(),
                    "Raise tutti.workspace.size, or leave the algorithm at auto."));
        }
        long launches = (tokens + chunkTokens - 1) / chunkTokens;
        if (launches > Integer.MAX_VALUE) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "the call needs too many launches: tokens=" + tokens + " chunkTokens=" + chunkTokens,
                    "Cut the call, or raise tutti.workspace.size."));
        }
        return new LaunchPlan(algorithm, chunkTokens, (int) launches);
    }

    private static Algorithm choose(WorkspaceSpec workspace, long tokens, long rowBytes) {
        if (rowBytes > workspace.oneShotBytes()) {
            return Algorithm.TWO_SHOT;
        }
        boolean small = tokens <= ONE_SHOT_SENT_BYTES / (rowBytes * Math.max(1, workspace.worldSize() - 1));
        return workspace.worldSize() <= ALWAYS_ONE_SHOT_WORLD || small ? Algorithm.ONE_SHOT : Algorithm.TWO_SHOT;
    }
}
