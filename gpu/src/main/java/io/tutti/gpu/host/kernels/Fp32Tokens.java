package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.FusedParams;
import io.tutti.gpu.numerics.Fp32Rows;
import java.nio.ByteBuffer;

/**
 * The short way for fp32 with norm and without plain sum: rows stay floats from device memory to device memory, in blocks
 * that stay in the first-level cache. A token that may hold a NaN, or whose norm may, is left to the general way, which
 * gives the same bits for all others.
 */
final class Fp32Tokens {

    /** Elements of a block, a power of two: its sum of squares is a node of the row's tree. */
    static final int BLOCK = Fp32Rows.BLOCK;

    private float[][] sum = new float[0][];
    private float[][] weights = new float[0][];
    private float[] roots = new float[0];
    private final float[] other = new float[BLOCK];
    private final float[] another = new float[BLOCK];
    private final float[] scratch = new float[Fp32Rows.scratchLength(BLOCK)];
    private float eps;
    private boolean usable;

    /** Makes room for rows of {@code hidden} elements. */
    void reserve(int hidden) {
        int blocks = blocks(hidden);
        if (sum.length < blocks) {
            sum = new float[blocks][BLOCK];
            weights = new float[blocks][BLOCK];
            roots = new float[Fp32Rows.scratchLength(blocks)];
        }
    }

    /** Takes the weights of a call; afterwards {@link #usable} says whether they suit the short way. */
    void load(FusedCall fused, ByteBuffer params) {
        int hidden = fused.hidden;
        int blocks = blocks(hidden);
        eps = Float.intBitsToFloat(params.getInt(FusedParams.EPS_BITS));
        float bias = Float.intBitsToFloat(params.getInt(FusedParams.BIAS_BITS));
        usable = true;
        for (int block = 0; block < blocks; block++) {
            int count = count(block, hidden);
            fused.gamma.read((long) block * BLOCK, weights[block], 0, count);
            Fp32Rows.addBias(weights[block], bias, count);
            usable &= Fp32Rows.areFinite(weights[block], count, scratch);
        }
    }

    boolean usable() {
        return usable;
    }

    static int blocks(int hidden) {
        return (hidden + BLOCK - 1) / BLOCK;
    }

    /** Elements of a block of a row; only the last may have fewer than {@link #BLOCK}. */
    static int count(int block, int hidden) {
        return Math.min(BLOCK, hidden - block * BLOCK);
    }

    /** One block of the row that is being made. */
    float[] sum(int block) {
        return sum[block];
    }

    /** Room for a block, whose contents nobody keeps. */
    float[] other() {
        return other;
    }

    /** Room for a check of a block. */
    float[] scratch() {
        return scratch;
    }

    /**
     * Adds all ranks' partials of a block in rank order, and the residual: {@link #sum} of the block becomes the rounded new
     * residual, unless there is a NaN in it.
     *
     * @param at the block's first element in the tensor
     * @param sliced whether peers publish slice by slice
     * @return false when the kernel has left
     */
    boolean reduce(FusedCall fused, int block, long at, int count, boolean sliced) {
        KernelCall call = fused.call;
        int last = call.world() - 1;
        float[] ranks = sum[block];
        float[] residual = scratch;
        fused.residual.read(at, residual, 0, count);
        float[] first = last == 0 ? ranks : other;
        if (!load(fused, 0, first, at, count, sliced)) {
            return false;
        }
        for (int source = 1; source <= last; source++) {
            if (!load(fused, source, another, at, count, sliced)) {
                return false;
            }
            if (source == last) {
                Fp32Rows.addBoth(ranks, first, another, residual, count);
            } else {
                Fp32Rows.add(ranks, first, another, count);
                first = ranks;
            }
        }
        if (last == 0) {
            Fp32Rows.addResidual(ranks, residual, count);
        }
        return true;
    }

    private static boolean load(FusedCall fused, int source, float[] to, long at, int count, boolean sliced) {
        KernelCall call = fused.call;
        if (source == call.rank()) {
            fused.partial.read(at, to, 0, count);
            return true;
        }
        long published = sliced ? fused.slices.published(call, source, at + count) : at + count;
        if (!fused.partials.await(call, source, published)) {
            return false;
        }
        fused.partials.load(source, at, to, count);
        return true;
    }

    /**
     * Normalises the row of rounded residuals in {@link #sum}.
     *
     * @param writeResidual whether the residual is still to be written too
     * @return false when the token must go the general way; nothing was written
     */
    boolean normalise(FusedCall fused, long token, boolean writeResidual) {
        int hidden = fused.hidden;
        int blocks = blocks(hidden);
        for (int block = 0; block < blocks; block++) {
            roots[block] = Fp32Rows.sumOfSquares(sum[block], count(block, hidden), scratch);
        }
        float scale = Fp32Rows.scale(roots, blocks, hidden, eps);
        if (Float.isNaN(scale)) {
            return false;
        }
        for (int block = 0; block < blocks; block++) {
            int count = count(block, hidden);
            long at = token * hidden + (long) block * BLOCK;
            if (writeResidual) {
                fused.residualOut.write(at, sum[block], 0, count);
            }
            Fp32Rows.norm(sum[block], scale, weights[block], other, count);
            fused.normOut.write(at, other, 0, count);
        }
        return true;
    }
}
