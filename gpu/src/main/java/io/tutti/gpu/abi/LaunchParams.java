package io.tutti.gpu.abi;

import java.nio.ByteBuffer;

/**
 * The by-value struct of every kernel: this prefix alone for the arm and pattern kernels, followed by {@link FusedParams}
 * for the fused ones. The captured term and epoch are compared with the control block's at entry.
 */
public final class LaunchParams {

    /** {@code u32}, {@link KernelAbi#VERSION}. */
    public static final int ABI_VERSION = 0;

    /** {@code u32}, bytes of the whole struct. */
    public static final int STRUCT_BYTES = 4;

    /** {@code u64}, device address of the control block. */
    public static final int CONTROL = 8;

    /** {@code u64}, the term's counter. */
    public static final int TERM = 16;

    /** {@code u64}. */
    public static final int EPOCH = 24;

    /** {@code u64}, how long the kernel may wait for its peers, from its own start. */
    public static final int TIMEOUT_NANOS = 32;

    /** Bytes of the prefix. */
    public static final int SIZE = 40;

    private LaunchParams() {}

    /**
     * Writes the prefix at the start of the buffer.
     *
     * @param structBytes bytes of the whole struct
     */
    public static void write(
            ByteBuffer target, int structBytes, long control, long termCounter, long epoch, long timeoutNanos) {
        target.putInt(ABI_VERSION, KernelAbi.VERSION)
                .putInt(STRUCT_BYTES, structBytes)
                .putLong(CONTROL, control)
                .putLong(TERM, termCounter)
                .putLong(EPOCH, epoch)
                .putLong(TIMEOUT_NANOS, timeoutNanos);
    }
}
