package io.tutti.gpu.driver;

/**
 * How a kernel is spread over a device.
 *
 * @param gridBlocks blocks of the one-dimensional grid
 * @param blockThreads threads of a block
 * @param clusterBlocks blocks of a thread-block cluster; 1 for none
 * @param sharedBytes dynamic shared memory of a block
 * @param programmatic whether the launch may start before its predecessor ends (the kernel waits itself)
 */
public record LaunchGeometry(
        int gridBlocks, int blockThreads, int clusterBlocks, int sharedBytes, boolean programmatic) {

    /** One block of one thread, as the host driver's kernels run. */
    public static final LaunchGeometry SINGLE = new LaunchGeometry(1, 1, 1, 0, false);
}
