package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.FusedParams;
import io.tutti.gpu.numerics.Fp32Rows;
import java.nio.ByteBuffer;

/**
 * The short way for fp32 with norm and without plain sum: rows stay floats from device memory to device memory. A token
 * that may hold a NaN, or whose norm may, is left to the general way, which gives the same bits for all others.
 */
final class Fp32Tokens {

    private float[] sum = new float[0];
    private float[] other = new float[0];
    private float[] weights = new float[0];
    private float[] tree = new float[0];
    private float eps;
    private boolean usable;

    /** Two tiles of this rank's own partial, without −0.0. */
    private float[][] ownTiles = new float[2][0];

    /** Makes room for rows of {@code hidden} elements. */
    void reserve(int hidden) {
        int length = Math.max(hidden, FusedCall.TILE_WORDS);
        if (sum.length < length) {
            sum = new float[length];
            other = new float[length];
            weights = new float[length];
            tree = new float[Fp32Rows.scratchLength(length)];
            ownTiles = new float[2][length];
        }
    }

    /** Takes the weights of a call; afterwards {@link #usable} says whether they suit the short way. */
    void load(FusedCall fused, ByteBuffer params) {
        int hidden = fused.hidden;
        eps = Float.intBitsToFloat(params.getInt(FusedParams.EPS_BITS));
        fused.gamma.read(0, weights, 0, hidden);
        Fp32Rows.addBias(weights, Float.intBitsToFloat(params.getInt(FusedParams.BIAS_BITS)), hidden);
        usable = Fp32Rows.areFinite(weights, hidden, other);
    }

    boolean usable() {
        return usable;
    }

    /** Room for the tile that starts at {@code token}. */
    float[] ownTile(long token, int tileTokens) {
        return ownTiles[(int) (token / tileTokens & 1)];
    }

    float[] sum() {
        return sum;
    }

    /** Free until {@link #finish}. */
    float[] scratch() {
        return tree;
    }

    float[] other() {
        return other;
    }

    /**
     * Ends a token whose partials are all in {@link #sum}: residual, norm, both outputs.
     *
     * @return false when the token must go the general way; nothing was written
     */
    boolean finish(FusedCall fused, long token) {
        int hidden = fused.hidden;
        long at = token * hidden;
        fused.residual.read(at, other, 0, hidden);
        Fp32Rows.addResidual(sum, other, hidden);
        return normalise(fused, token, true);
    }

    /**
     * Normalises the rounded residual in {@link #sum}.
     *
     * @param writeResidual whether the residual is still to be written too
     * @return false when the token must go the general way; nothing was written
     */
    boolean normalise(FusedCall fused, long token, boolean writeResidual) {
        int hidden = fused.hidden;
        float scale = Fp32Rows.scale(sum, hidden, eps, tree);
        if (Float.isNaN(scale)) {
            return false;
        }
        long at = token * hidden;
        if (writeResidual) {
            fused.residualOut.write(at, sum, 0, hidden);
        }
        Fp32Rows.norm(sum, scale, weights, other, hidden);
        fused.normOut.write(at, other, 0, hidden);
        return true;
    }
}
