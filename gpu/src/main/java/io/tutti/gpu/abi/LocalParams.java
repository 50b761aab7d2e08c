package io.tutti.gpu.abi;

/**
 * Byte offsets of the parameters of {@link LocalKernels} after {@link LaunchParams}. Addresses are those of the first
 * element that the launch covers; absent tensors are 0. A part is what one rank contributes to what is reduced here: a
 * whole partial or a slice of it.
 */
public final class LocalParams {

    /** {@code u64}, where rank 0's part would lie; rank r's is r strides behind it. */
    public static final int PARTS = 40;

    /** {@code u64}, bytes from one rank's part to the next. */
    public static final int PART_STRIDE = 48;

    /** {@code u64}, this rank's own part, which need not be among the others. */
    public static final int OWN = 56;

    /** {@code u64}, may equal {@link #RESIDUAL_OUT}. */
    public static final int RESIDUAL = 64;

    /** {@code u64}, for the norm. */
    public static final int GAMMA = 72;

    /** {@code u64}, the norm's output. */
    public static final int NORM_OUT = 80;

    /** {@code u64}, the reduction's output and the norm's input. */
    public static final int RESIDUAL_OUT = 88;

    /** {@code u64}. */
    public static final int SUM_OUT = 96;

    /** {@code u64}; a reduction that covers part of a row counts it as one row. */
    public static final int TOKENS = 104;

    /** {@code u64}. */
    public static final int HIDDEN = 112;

    /** {@code u32}, ordinal of {@link io.tutti.gpu.DType}. */
    public static final int DTYPE = 120;

    /** {@code u32}, {@link FusedParams#FLAG_NORM} for the residual, {@link FusedParams#FLAG_SUM} for the plain sum. */
    public static final int FLAGS = 124;

    /** {@code u32}, float bits. */
    public static final int EPS_BITS = 128;

    /** {@code u32}, float bits of what is added to each weight. */
    public static final int BIAS_BITS = 132;

    /** Bytes of the whole struct. */
    public static final int SIZE = 136;

    private LocalParams() {}
}
