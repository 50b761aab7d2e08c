package io.tutti.gpu.numerics;

import java.util.Arrays;

/**
 * The canonical order for rows of fp32 that hold no NaN, in place in float arrays: what {@link CanonicalRow} computes, in
 * far fewer passes. Rounding to fp32 changes only NaN and −0.0; adding +0.0 takes care of −0.0, and the caller turns to
 * {@link CanonicalRow} whenever {@link #scale} says that a row may hold a NaN. Every loop is one that C2 vectorises, which
 * it does only where all arrays of a loop are indexed alike; so everything starts at index 0. Pure functions, safe on any
 * thread.
 */
public final class Fp32Rows {

    /** What {@link #scale} answers when the row or its norm may hold a NaN. */
    public static final float UNUSABLE = Float.NaN;

    /** Elements of a block; a power of two, and small enough for the first-level cache. */
    public static final int BLOCK = 1024;

    private static final float[] ZEROS = new float[BLOCK];

    private Fp32Rows() {}

    /** Scratch that {@link #scale} needs for a row. */
    public static int scratchLength(int elements) {
        return elements + SquareTree.SLACK;
    }

    /** The sum of two partials, or of a sum and a partial, from +0.0 on. */
    public static void add(float[] out, float[] first, float[] second, int count) {
        for (int i = 0; i < count; i++) {
            out[i] = (first[i] + 0f) + second[i];
        }
    }

    /** {@link #add(float[], float[], float[], int)}, then {@link #addResidual}. */
    public static void addBoth(float[] out, float[] first, float[] second, float[] residual, int count) {
        for (int i = 0; i < count; i++) {
            out[i] = (first[i] + 0f) + second[i] + residual[i] + 0f;
        }
    }

    /**
     * Adds the residual to the sum, or to a world of one's partial, whose −0.0 cannot be told from +0.0 behind it. The sum
     * becomes the rounded new residual unless there is a NaN in it.
     */
    public static void addResidual(float[] sum, float[] residual, int count) {
        for (int i = 0; i < count; i++) {
            sum[i] = sum[i] + residual[i] + 0f;
        }
    }

    /**
     * The sum of squares of an aligned block of a row, a node of the row's tree: the block has {@link #BLOCK} elements, or
     * fewer at the row's end.
     *
     * @param scratch at least {@link #scratchLength}
     */
    public static float sumOfSquares(float[] block, int count, float[] scratch) {
        return SquareTree.ofRow(block, count, scratch);
    }

    /**
     * What the norm multiplies with, or {@link #UNUSABLE} when the row or its norm may hold a NaN.
     *
     * @param sums of the row's blocks in order, {@link #scratchLength} long; they are overwritten
     */
    public static float scale(float[] sums, int blocks, int hidden, float eps) {
        float squares = SquareTree.sum(sums, blocks);
        float scale = CanonicalRow.scaleOf(squares, hidden, eps);
        return Float.isFinite(squares) && Float.isFinite(scale) ? scale : UNUSABLE;
    }

    /** Writes the normalised row; {@code weights} are finite and contain the bias. */
    public static void norm(float[] row, float scale, float[] weights, float[] out, int hidden) {
        for (int i = 0; i < hidden; i++) {
            out[i] = row[i] * scale * weights[i] + 0f;
        }
    }

    /** Adds the weight bias; that a −0.0 stays without bias cannot be seen in the norm, whose zeros are all +0.0. */
    public static void addBias(float[] weights, float bias, int count) {
        if (bias == 0f) {
            return;
        }
        for (int i = 0; i < count; i++) {
            weights[i] += bias;
        }
    }

    /**
     * Whether all values are finite.
     *
     * @param scratch at least {@code count} long
     */
    public static boolean areFinite(float[] values, int count, float[] scratch) {
        for (int i = 0; i < count; i++) {
            scratch[i] = values[i] * 0f + 0f;
        }
        for (int at = 0; at < count; at += ZEROS.length) {
            int length = Math.min(ZEROS.length, count - at);
            if (!Arrays.equals(scratch, at, at + length, ZEROS, 0, length)) {
                return false;
            }
        }
        return true;
    }
}
