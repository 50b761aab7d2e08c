package io.tutti.gpu.numerics;

/**
 * The sum of squares as a perfect binary tree over the element index, neighbours first. The tree is padded with +0.0 to a
 * power of two; since no square is −0.0, adding such padding changes nothing, and only the last group of a level is padded
 * here. Straight-line groups of eight let the processor overlap additions that a running sum would chain.
 */
final class SquareTree {
    /** Slots of scratch that the sum needs beyond one per element. */
    static final int SLACK = 8;

    private SquareTree() {}

    /** The sum over a row of {@code words} words in lanes, see {@link RowFormat}. */
    static float ofLanes(float[][] lanes, int words, float[] scratch) {
        if (lanes.length == 1) {
            return ofRow(lanes[0], words, scratch);
        }
        addNeighbours(lanes[0], lanes[1], scratch, words);
        return sum(scratch, words);
    }

    /** The sum over a row in index order. */
    static float ofRow(float[] row, int elements, float[] scratch) {
        // Two loops, since C2 vectorises the first alone.
        for (int i = 0; i < elements; i++) {
            scratch[i] = row[i] * row[i];
        }
        return sum(scratch, elements);
    }

    private static void addNeighbours(float[] even, float[] odd, float[] sums, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] = even[i] * even[i] + odd[i] * odd[i];
        }
    }

    /** The tree over {@code nodes} neighbouring values >= +0.0 or NaN, which it overwrites, as it does the slack. */
    static float sum(float[] values, int nodes) {
        int width = nodes;
        while (width > 1) {
            for (int i = width; (i & 7) != 0; i++) {
                values[i] = 0f;
            }
            int parents = (width + 7) >> 3;
            for (int i = 0; i < parents; i++) {
                values[i] = eight(values, i << 3);
            }
            width = parents;
        }
        return values[0];
    }

    private static float eight(float[] v, int i) {
        return ((v[i] + v[i + 1]) + (v[i + 2] + v[i + 3])) + ((v[i + 4] + v[i + 5]) + (v[i + 6] + v[i + 7]));
    }
}
