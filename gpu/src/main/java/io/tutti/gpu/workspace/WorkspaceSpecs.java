package io.tutti.gpu.workspace;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/**
 * Derives a workspace's sizes from a budget. Pure functions of agreed inputs, so all ranks come to the same sizes. Every
 * workspace carries at least one token of the largest hidden size in fp32 by two-shot, so every valid call fits.
 */
public final class WorkspaceSpecs {

    /** One token of hidden 65,536 in fp32. */
    public static final long MIN_TWO_SHOT_BYTES = 65_536L * Float.BYTES;

    private static final long AUTO_RANK_BYTES = 64L << 20;
    private static final long AUTO_WORLD_BYTES = 256L << 20;

    /** Caps the one-shot stages, which grow with the square of the world size over all ranks. */
    private static final long ONE_SHOT_WORLD_BYTES = 128L << 20;

    /** Slices of scatter, gathered residual and gathered sum, in each stage. */
    private static final long SLICES = 3L * WorkspaceLayout.STAGES;

    /** What rounding a slice up to whole vectors and to the alignment can add. */
    private static final long SLICE_ROUNDING = WorkspaceLayout.ALIGNMENT + 32L;

    private WorkspaceSpecs() {}

    /** The budget of one rank that 0 stands for. */
    public static long autoBudget(int worldSize) {
        return Math.min(AUTO_RANK_BYTES, AUTO_WORLD_BYTES / worldSize);
    }

    /** The smallest budget with which every valid call fits. */
    public static long leastBudget(int worldSize) {
        return WorkspaceLayout.of(new WorkspaceSpec(worldSize, WorkspaceLayout.ALIGNMENT, MIN_TWO_SHOT_BYTES))
                .totalBytes();
    }

    /**
     * The largest useful sizes within a budget.
     *
     * @param worldSize ranks, 1 to 72
     * @param budgetBytes what one rank's workspace may take, or 0 for {@link #autoBudget}
     * @param tuning beyond which sizes gain nothing
     * @throws TuttiException with code CONFIGURATION, naming the budget and the least that would do
     */
    public static WorkspaceSpec forBudget(int worldSize, long budgetBytes, StageTuning tuning) {
        long least = leastBudget(worldSize);
        long budget = budgetBytes == 0 ? autoBudget(worldSize) : budgetBytes;
        if (budget < least) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CONFIGURATION,
                    "workspace budget is too small: budget=" + budget + " needed=" + least + " worldSize=" + worldSize,
                    "Raise tutti.workspace.size to at least " + least + " bytes, or set it to auto."));
        }
        long spare = budget - least;
        long oneShotLimit = floor(
                Math.max(WorkspaceLayout.ALIGNMENT, Math.min(tuning.oneShotBytes(), ONE_SHOT_WORLD_BYTES / worldSize)));
        long twoShotLimit = floor(Math.max(MIN_TWO_SHOT_BYTES, tuning.twoShotBytes()));
        long oneShot = Math.min(oneShotLimit, oneShot(worldSize, spare / 2));
        long twoShot = Math.min(twoShotLimit, twoShot(worldSize, spare / 2));
        // What one of them cannot use goes to the other.
        if (twoShot == twoShotLimit) {
            oneShot = Math.min(oneShotLimit, oneShot(worldSize, spare - twoShotCost(worldSize, twoShot)));
        } else if (oneShot == oneShotLimit) {
            twoShot = Math.min(twoShotLimit, twoShot(worldSize, spare - oneShotCost(worldSize, oneShot)));
        }
        return new WorkspaceSpec(worldSize, oneShot, twoShot);
    }

    private static long oneShot(int worldSize, long spare) {
        return floor(WorkspaceLayout.ALIGNMENT + spare / ((long) WorkspaceLayout.STAGES * worldSize));
    }

    private static long oneShotCost(int worldSize, long oneShot) {
        return (oneShot - WorkspaceLayout.ALIGNMENT) * WorkspaceLayout.STAGES * worldSize;
    }

    private static long twoShot(int worldSize, long spare) {
        return floor(MIN_TWO_SHOT_BYTES + Math.max(0, spare - SLICES * worldSize * SLICE_ROUNDING) / SLICES);
    }

    private static long twoShotCost(int worldSize, long twoShot) {
        return twoShot == MIN_TWO_SHOT_BYTES
                ? 0
                : (twoShot - MIN_TWO_SHOT_BYTES) * SLICES + SLICES * worldSize * SLICE_ROUNDING;
    }

    private static long floor(long bytes) {
        return bytes & -WorkspaceLayout.ALIGNMENT;
    }
}
