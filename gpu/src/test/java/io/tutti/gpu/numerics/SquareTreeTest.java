package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SquareTreeTest {
    private static final int[] LENGTHS = {8, 16, 24, 40, 64, 136, 384, 1000, 2880, 4096, 7168};

    @Test
    void bothLayoutsGiveTheTreeOfTheDefinition() {
        for (long seed = 0; seed < 20; seed++) {
            for (int length : LENGTHS) {
                float[] row = row(length, seed);
                float expected = definition(paddedSquares(row), 0, padded(length));
                assertThat(oneLane(row)).as("seed=%d length=%d", seed, length).isEqualTo(expected);
                assertThat(twoLanes(row)).as("seed=%d length=%d", seed, length).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void anySplitIntoAlignedSubtreesOfThreadsWarpsAndClustersGivesTheSameBits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int repeat = 0; repeat < 200; repeat++) {
            int length = LENGTHS[random.nextInt(LENGTHS.length)];
            float[] row = row(length, random.nextLong());
            int levels = Integer.numberOfTrailingZeros(padded(length));
            int thread = random.nextInt(levels + 1);
            int warp = random.nextInt(Math.min(5, levels - thread) + 1);
            int block = random.nextInt(levels - thread - warp + 1);
            assertThat(bySplit(paddedSquares(row), thread, warp, block))
                    .as(
                            "seed=%d repeat=%d length=%d thread=2^%d warp=2^%d block=2^%d",
                            seed, repeat, length, thread, warp, block)
                    .isEqualTo(oneLane(row));
        }
    }

    @Test
    void splitsThatAreNotAlignedSubtreesAreFoundOut() {
        int strided = 0;
        int unaligned = 0;
        int sequential = 0;
        for (long seed = 0; seed < 50; seed++) {
            float[] row = row(384, seed);
            float[] squares = paddedSquares(row);
            float expected = oneLane(row);
            strided += byStride(squares, 32) == expected ? 0 : 1;
            unaligned += byHalves(row) == expected ? 0 : 1;
            sequential += streamed(squares, 0, 1, squares.length) == expected ? 0 : 1;
        }
        assertThat(strided).as("strided threads").isPositive();
        assertThat(unaligned).as("blocks of 192").isPositive();
        assertThat(sequential).as("a running sum").isPositive();
    }

    /** Threads stream their elements, lanes of a warp exchange with ever farther neighbours, then warps and blocks pair up. */
    private static float bySplit(float[] squares, int threadLevels, int warpLevels, int blockLevels) {
        float[] threads = new float[squares.length >> threadLevels];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = binaryCounter(squares, t << threadLevels, 1 << threadLevels);
        }
        float[] warps = new float[threads.length >> warpLevels];
        for (int w = 0; w < warps.length; w++) {
            warps[w] = butterfly(threads, w << warpLevels, 1 << warpLevels);
        }
        float[] blocks = new float[warps.length >> blockLevels];
        for (int b = 0; b < blocks.length; b++) {
            blocks[b] = butterfly(warps, b << blockLevels, 1 << blockLevels);
        }
        return binaryCounter(blocks, 0, blocks.length);
    }

    /** Adds one value after the other, and merges two sums as soon as they cover equally many values. */
    private static float binaryCounter(float[] values, int from, int count) {
        float[] pending = new float[32];
        for (int i = 0; i < count; i++) {
            float carry = values[from + i];
            int level = 0;
            for (; (i >> level & 1) == 1; level++) {
                carry = pending[level] + carry;
            }
            pending[level] = carry;
        }
        return pending[Integer.numberOfTrailingZeros(count)];
    }

    private static float butterfly(float[] values, int from, int count) {
        float[] lanes = new float[count];
        System.arraycopy(values, from, lanes, 0, count);
        for (int distance = 1; distance < count; distance *= 2) {
            float[] next = new float[count];
            for (int lane = 0; lane < count; lane++) {
                next[lane] = lanes[lane] + lanes[lane ^ distance];
            }
            lanes = next;
        }
        return lanes[count - 1];
    }

    private static float byStride(float[] squares, int threads) {
        float[] sums = new float[threads];
        for (int t = 0; t < threads; t++) {
            sums[t] = streamed(squares, t, threads, squares.length);
        }
        return butterfly(sums, 0, threads);
    }

    /** Two blocks of 192 elements each, a tree of its own in each: the mistake that a cluster's geometry invites. */
    private static float byHalves(float[] row) {
        int half = row.length / 2;
        float[] first = paddedSquares(Arrays.copyOfRange(row, 0, half));
        float[] second = paddedSquares(Arrays.copyOfRange(row, half, row.length));
        return definition(first, 0, first.length) + definition(second, 0, second.length);
    }

    private static float streamed(float[] values, int from, int stride, int to) {
        float sum = 0f;
        for (int i = from; i < to; i += stride) {
            sum += values[i];
        }
        return sum;
    }

    private static float definition(float[] values, int from, int count) {
        return count == 1
                ? values[from]
                : definition(values, from, count / 2) + definition(values, from + count / 2, count / 2);
    }

    private static float[] paddedSquares(float[] row) {
        float[] squares = new float[padded(row.length)];
        for (int i = 0; i < row.length; i++) {
            squares[i] = row[i] * row[i];
        }
        return squares;
    }

    private static int padded(int length) {
        return Integer.highestOneBit(2 * length - 1);
    }

    private static float oneLane(float[] row) {
        return SquareTree.ofLanes(new float[][] {row}, row.length, new float[row.length + SquareTree.SLACK]);
    }

    private static float twoLanes(float[] row) {
        float[][] lanes = new float[2][row.length / 2];
        for (int i = 0; i < row.length; i++) {
            lanes[i % 2][i / 2] = row[i];
        }
        return SquareTree.ofLanes(lanes, row.length / 2, new float[row.length / 2 + SquareTree.SLACK]);
    }

    private static float[] row(int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            row[i] = (float) (random.nextDouble() - 0.5) * (1 << random.nextInt(4));
        }
        return row;
    }
}
