package io.tutti.gpu.workspace;

/**
 * How large stages need to be for speed; more memory than this gains nothing, so a larger budget is left unused.
 *
 * @param oneShotBytes one source's one-shot slot
 * @param twoShotBytes tensor bytes of one two-shot launch
 */
public record StageTuning(long oneShotBytes, long twoShotBytes) {

    /** Longer tensors go in chunks whose stages stay in a core's second-level cache. */
    public static final StageTuning HOST = new StageTuning(256L << 10, 512L << 10);

    /** Launches are dear and device memory is fast: a chunk is as long as the budget allows. */
    public static final StageTuning CUDA = new StageTuning(64L << 20, 64L << 20);

    /** The tuning for a driver of that {@link io.tutti.gpu.driver.Driver#name()}. */
    public static StageTuning forDriver(String driver) {
        return driver.equals("host") ? HOST : CUDA;
    }
}
