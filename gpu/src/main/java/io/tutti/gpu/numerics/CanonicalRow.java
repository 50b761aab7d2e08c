package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;
import java.util.Arrays;

/**
 * One row of the fused operation in the canonical order of {@code docs/numerics.md}, for the host driver's kernels.
 *
 * <p>Tensors come and go as 32-bit little-endian words, two elements to a word for 16-bit types (the even one in the low
 * half), so a kernel copies them to and from device memory without looking at their type. Per row: {@link #start}, {@link
 * #add} each rank's partial in rank order, {@link #round} for the plain sum where it is wanted, {@link #add} the residual,
 * {@link #round} for the new residual, {@link #norm}. A kernel that reduces only a shard of a row starts with the shard's
 * length; the norm always needs the whole row.
 *
 * <p>An instance owns its scratch, allocates nothing after construction, and is confined to one thread. Java's float
 * arithmetic is strict IEEE with one rounding per operation and no contraction (JEP 306, since Java 17), on which every
 * line here depends.
 */
public final class CanonicalRow {
    /** The largest hidden size. */
    public static final int MAX_HIDDEN = 65_536;

    private final RowFormat format;
    private final int capacity;
    private final RowScratch scratch;
    // Rows of floats, in lanes.
    private final float[][] sum;
    private final float[][] row;
    private final float[][] weights;
    private final float[] tree;
    private int elements;
    private int hidden;

    /**
     * @param maxHidden the longest row that it will see
     * @throws IllegalArgumentException when {@code maxHidden} is not a multiple of 8 from 8 to {@link #MAX_HIDDEN}
     */
    public CanonicalRow(DType type, int maxHidden) {
        format = RowFormat.of(type);
        capacity = requireHidden(maxHidden);
        int words = words(capacity);
        scratch = new RowScratch(words);
        sum = new float[format.lanes()][words];
        row = new float[format.lanes()][words];
        weights = new float[format.lanes()][words];
        tree = new float[words + SquareTree.SLACK];
    }

    /**
     * Returns its argument.
     *
     * @throws IllegalArgumentException when {@code hidden} is not a multiple of 8 from 8 to {@link #MAX_HIDDEN}
     */
    public static int requireHidden(int hidden) {
        if (hidden < 8 || hidden > MAX_HIDDEN || hidden % 8 != 0) {
            throw new IllegalArgumentException(
                    "hidden must be a multiple of 8 from 8 to " + MAX_HIDDEN + ": hidden=" + hidden);
        }
        return hidden;
    }

    /**
     * Sets the sum to +0.0.
     *
     * @param elements length of the row or shard: whole words, at most the capacity
     */
    public void start(int elements) {
        if (elements < 0 || elements > capacity || elements % format.lanes() != 0) {
            throw new IllegalArgumentException(
                    "a row is whole words within the capacity: elements=" + elements + " capacity=" + capacity);
        }
        this.elements = elements;
        for (float[] lane : sum) {
            Arrays.fill(lane, 0, words(elements), 0f);
        }
    }

    /** Adds one row to the sum in fp32. The first addition goes onto +0.0, so the sum is never −0.0. */
    public void add(int[] words, int offset) {
        int count = words(elements);
        format.widen(words, offset, count, row, scratch);
        for (int lane = 0; lane < row.length; lane++) {
            addLane(sum[lane], row[lane], count);
        }
    }

    /** Writes the sum rounded to the tensor type. The sum itself stays as it is. */
    public void round(int[] words, int offset) {
        format.round(sum, words(elements), words, offset, scratch);
    }

    /**
     * Takes the weights of the norms that follow, and with them the length of their rows.
     *
     * @param weightBias what is added to each weight in fp32, 0 or 1
     */
    public void weights(int[] gamma, int offset, int hidden, float weightBias) {
        if (requireHidden(hidden) > capacity) {
            throw new IllegalArgumentException(
                    "hidden is above the capacity: hidden=" + hidden + " capacity=" + capacity);
        }
        this.hidden = hidden;
        format.widen(gamma, offset, words(hidden), weights, scratch);
        for (float[] lane : weights) {
            addBias(lane, weightBias, words(hidden));
        }
    }

    /**
     * Normalises a whole row that has been rounded to the tensor type. Both rows have the length given with the weights, and
     * may be the same.
     */
    public void norm(int[] residualOut, int offset, float eps, int[] normOut, int normOffset) {
        int count = words(hidden);
        format.widen(residualOut, offset, count, row, scratch);
        float scale = scaleOf(SquareTree.ofLanes(row, count, tree), hidden, eps);
        for (int lane = 0; lane < row.length; lane++) {
            scaleLane(row[lane], scale, weights[lane], count);
        }
        format.round(row, count, normOut, normOffset, scratch);
    }

    /**
     * 1 ÷ √(squares ÷ hidden + eps). The square root taken in double and rounded to float is the float square root: a double
     * carries more than twice a float's digits and two more, so rounding twice cannot differ from rounding once.
     */
    static float scaleOf(float squares, int hidden, float eps) {
        float mean = squares / hidden;
        float shifted = mean + eps;
        float root = (float) Math.sqrt(shifted);
        return 1f / root;
    }

    private int words(int elements) {
        return elements / format.lanes();
    }

    private static void addLane(float[] sum, float[] lane, int count) {
        for (int i = 0; i < count; i++) {
            sum[i] += lane[i];
        }
    }

    private static void addBias(float[] lane, float bias, int count) {
        for (int i = 0; i < count; i++) {
            lane[i] += bias;
        }
    }

    private static void scaleLane(float[] lane, float scale, float[] weights, int count) {
        for (int i = 0; i < count; i++) {
            lane[i] = lane[i] * scale * weights[i];
        }
    }
}
