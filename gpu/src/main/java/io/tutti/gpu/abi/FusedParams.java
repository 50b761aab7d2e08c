package io.tutti.gpu.abi;

/**
 * Byte offsets of the fused kernels' parameters after {@link LaunchParams}. Tensor addresses are those of this launch's
 * first token; absent tensors are 0. {@code docs/memory-model.md} shows the struct as C.
 */
public final class FusedParams {

    /** {@code u64}. */
    public static final int PARTIAL = 40;

    /** {@code u64}, may equal {@link #RESIDUAL_OUT}. */
    public static final int RESIDUAL = 48;

    /** {@code u64}. */
    public static final int GAMMA = 56;

    /** {@code u64}. */
    public static final int NORM_OUT = 64;

    /** {@code u64}. */
    public static final int RESIDUAL_OUT = 72;

    /** {@code u64}. */
    public static final int SUM_OUT = 80;

    /** {@code u64}, tokens of this launch. */
    public static final int TOKENS = 88;

    /** {@code u64}. */
    public static final int HIDDEN = 96;

    /** {@code u64}, the launch's first token within its call. */
    public static final int TOKEN_OFFSET = 104;

    /** {@code u32}, ordinal of {@link io.tutti.gpu.DType}. */
    public static final int DTYPE = 112;

    /** {@code u32}, ordinal of {@link io.tutti.gpu.Epilogue}. */
    public static final int EPILOGUE = 116;

    /** {@code u32}, float bits. */
    public static final int EPS_BITS = 120;

    /** {@code u32}, float bits of what is added to each weight. */
    public static final int BIAS_BITS = 124;

    /** {@code u64}, what every rank's header must carry. No half of it is the sentinel word. */
    public static final int FINGERPRINT = 128;

    /** {@code u64}, the caller's mark, for dumps; it is part of the fingerprint. */
    public static final int TAG = 136;

    /** {@code u32}, see the constants below. */
    public static final int FLAGS = 144;

    /** {@code u32}, ordinal of {@link io.tutti.gpu.Algorithm}. */
    public static final int ALGORITHM = 148;

    /** Bytes of the whole struct. */
    public static final int SIZE = 152;

    /** Residual, gamma, {@code residual_out} and {@code norm_out} are there. */
    public static final int FLAG_NORM = 1;

    /** The plain sum is an output. */
    public static final int FLAG_SUM = 2;

    private FusedParams() {}
}
