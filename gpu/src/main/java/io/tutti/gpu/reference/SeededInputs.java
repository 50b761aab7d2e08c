package io.tutti.gpu.reference;

import io.tutti.gpu.DType;
import io.tutti.gpu.numerics.TensorBits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The inputs of one operation, made from a seed. They depend on seed, world size, hidden size and type only: a row depends
 * on its own index, never on how many rows there are or on how often an operation is repeated, so rows can be made one by
 * one and in any order, and the first rows of a long tensor are those of a short one.
 *
 * <p>Values look like a model's: bell-shaped; a sum over all ranks and a residual mostly within ±4, every 64th channel six
 * times as large; gamma around 1. Row r of tensor t is drawn from one {@link SplittableRandom} whose seed mixes (seed, t,
 * r), one long per element, in channel order. Immutable; safe on any thread.
 */
public final class SeededInputs {

    private static final long RESIDUAL = 1L << 32;
    private static final long GAMMA = 1L << 33;
    private static final int LOUD_EVERY = 64;
    private static final int LOUD_CHANNEL = 37;
    private static final float LOUD = 6f;
    private static final float GAMMA_SPREAD = 0.25f;

    private final long seed;
    private final int worldSize;
    private final int hidden;
    private final DType dtype;
    private final float partialScale;
    private final float residualScale = 2f;

    /**
     * @param worldSize ranks, at least 1
     * @param hidden elements of a row
     */
    public SeededInputs(long seed, int worldSize, int hidden, DType dtype) {
        if (worldSize < 1 || hidden < 1) {
            throw new IllegalArgumentException(
                    "seeded inputs need ranks and elements: worldSize=" + worldSize + " hidden=" + hidden);
        }
        this.seed = seed;
        this.worldSize = worldSize;
        this.hidden = hidden;
        this.dtype = Objects.requireNonNull(dtype, "dtype");
        this.partialScale = 2f / (float) Math.sqrt((double) worldSize);
    }

    /** Bytes of one row of any of the tensors. */
    public int rowBytes() {
        return hidden * dtype.bytes();
    }

    /** Appends rows of a rank's partial, little-endian; the buffer's position moves behind them. */
    public void partialRows(int rank, long firstToken, int tokens, ByteBuffer target) {
        Objects.checkIndex(rank, worldSize);
        rows(rank, firstToken, tokens, partialScale, 0f, true, target);
    }

    /** Appends rows of the residual, equal on all ranks. */
    public void residualRows(long firstToken, int tokens, ByteBuffer target) {
        rows(RESIDUAL, firstToken, tokens, residualScale, 0f, true, target);
    }

    /** Appends gamma, equal on all ranks. */
    public void gamma(ByteBuffer target) {
        rows(GAMMA, 0, 1, GAMMA_SPREAD, 1f, false, target);
    }

    private void rows(
            long tensor, long firstToken, int tokens, float scale, float center, boolean loud, ByteBuffer target) {
        ByteOrder before = target.order();
        target.order(ByteOrder.LITTLE_ENDIAN);
        for (int token = 0; token < tokens; token++) {
            row(tensor, firstToken + token, scale, center, loud, target);
        }
        target.order(before);
    }

    private void row(long tensor, long token, float scale, float center, boolean loud, ByteBuffer target) {
        SplittableRandom random = new SplittableRandom(mix(mix(mix(seed) + tensor) + token));
        for (int channel = 0; channel < hidden; channel++) {
            float value = bell(random.nextLong()) * scale;
            if (loud && channel % LOUD_EVERY == LOUD_CHANNEL) {
                value *= LOUD;
            }
            int bits = TensorBits.round(dtype, value + center);
            if (dtype.bytes() == Short.BYTES) {
                target.putShort((short) bits);
            } else {
                target.putInt(bits);
            }
        }
    }

    /** The sum of four 16-bit numbers as a float between −2 and 2; every step is exact. */
    private static float bell(long bits) {
        int sum = (int) (bits & 0xffff)
                + (int) ((bits >>> 16) & 0xffff)
                + (int) ((bits >>> 32) & 0xffff)
                + (int) (bits >>> 48);
        return (sum - 131_070) * 0x1p-16f;
    }

    /** The finaliser of MurmurHash3. */
    private static long mix(long value) {
        long h = value + 0x9E3779B97F4A7C15L;
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }
}
