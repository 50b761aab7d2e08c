package io.tutti.gpu.op;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.abi.FusedKernels;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.workspace.WorkspaceLayout;

/**
 * The only place that sizes a grid: a pure function of agreed inputs. Results never depend on it.
 *
 * <p>A thread has one vector of 8 elements of a row, so a block is as long as a row, rounded up to whole warps; longer rows
 * take the largest block and several passes. While a multiprocessor has no second row to hold, one-shot's blocks get one
 * warp more, which speaks with the peers while the others are busy with their row. Every kernel keeps to 64 registers a thread, so the blocks that a
 * multiprocessor holds are known. A grid is never larger than what the device holds at once, since blocks wait for those of
 * other ranks, and in two-shot for each other. Ranks that share a device divide its multiprocessors and leave the rest of
 * each unused.
 */
public final class LaunchTable {

    /** Threads of the largest block; with 64 registers each they fill a multiprocessor. */
    static final int MAX_THREADS = 1024;

    /** Threads of a block where there are no rows to keep together. */
    static final int FLAT_THREADS = 512;

    /** The longest tensor of one launch: kernels count its bytes in 32 bits. Workspaces never ask for as much. */
    static final long MAX_LAUNCH_BYTES = 1L << 30;

    private static final int WARP = 32;
    private static final int MAX_BLOCKS_PER_MULTIPROCESSOR = 16;
    private static final int PROGRAMMATIC_CAPABILITY = 90;
    private static final int ARM_BLOCKS = 64;
    private static final int PATTERN_THREADS = 256;

    private LaunchTable() {}

    /**
     * One launch of a fused call.
     *
     * @param device where it runs
     * @param worldSize ranks of the communicator
     * @param algorithm how the sum travels
     * @param dtype type of the tensors
     * @param tokens rows of this launch
     * @param hidden elements of a row
     * @param norm whether rows are normalised
     * @param follows whether the stream's work before it is another fused launch of this runtime, behind which the kernel
     *     may take its place early
     */
    public static KernelLaunch fused(
            DeviceShape device,
            int worldSize,
            Algorithm algorithm,
            DType dtype,
            long tokens,
            long hidden,
            boolean norm,
            boolean follows) {
        if (Math.multiplyExact(Math.multiplyExact(tokens, hidden), (long) dtype.bytes()) > MAX_LAUNCH_BYTES) {
            throw new IllegalArgumentException("one launch carries at most " + MAX_LAUNCH_BYTES + " bytes: tokens="
                    + tokens + " hidden=" + hidden + " dtype=" + dtype.wireName());
        }
        long vectors = hidden / WorkspaceLayout.VECTOR_ELEMENTS;
        int threads = norm ? (int) Math.min(MAX_THREADS, roundUp(vectors)) : FLAT_THREADS;
        long rows = norm ? tokens : (Math.multiplyExact(tokens, vectors) + threads - 1) / threads;
        if (norm
                && algorithm == Algorithm.ONE_SHOT
                && threads + WARP <= MAX_THREADS
                && rows <= device.multiprocessors() / device.ranksPerDevice()) {
            threads += WARP;
        }
        int blocks = (int) Math.min(rows, resident(device, threads));
        boolean programmatic =
                follows && device.ranksPerDevice() == 1 && device.computeCapability() >= PROGRAMMATIC_CAPABILITY;
        return new KernelLaunch(
                FusedKernels.name(algorithm, dtype, worldSize, rows(rows, blocks, norm && vectors > threads)),
                new LaunchGeometry(blocks, threads, 1, 0, programmatic));
    }

    private static FusedKernels.Rows rows(long rows, int blocks, boolean wide) {
        if (wide) {
            return FusedKernels.Rows.WIDE;
        }
        return rows == blocks ? FusedKernels.Rows.SINGLE : FusedKernels.Rows.MANY;
    }

    /** {@link KernelAbi#ARM}, which fills memory, or one of the pattern kernels, which are small. */
    public static KernelLaunch common(String kernel) {
        return new KernelLaunch(
                kernel,
                kernel.equals(KernelAbi.ARM)
                        ? new LaunchGeometry(ARM_BLOCKS, MAX_THREADS, 1, 0, false)
                        : new LaunchGeometry(1, PATTERN_THREADS, 1, 0, false));
    }

    /** Blocks that are on the device at once, at least one. */
    private static int resident(DeviceShape device, int threads) {
        if (device.ranksPerDevice() > 1) {
            return Math.max(1, device.multiprocessors() / device.ranksPerDevice());
        }
        return device.multiprocessors() * Math.min(MAX_BLOCKS_PER_MULTIPROCESSOR, MAX_THREADS / threads);
    }

    private static long roundUp(long vectors) {
        return (vectors + WARP - 1) / WARP * WARP;
    }
}
