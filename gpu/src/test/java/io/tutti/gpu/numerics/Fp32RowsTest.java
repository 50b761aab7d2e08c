package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The short way for fp32 gives the bits of the general one, or says that it cannot. */
final class Fp32RowsTest {

    @Test
    void aRowInBlocksEqualsTheCanonicalRowOrIsRefused() {
        int used = 0;
        for (long seed = 0; seed < 3000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int hidden = 8 * (1 + random.nextInt(random.nextBoolean() ? 40 : 1024));
            Payload payload = Payload.of(seed);
            int[] one = words(payload, hidden, random);
            int[] two = words(payload, hidden, random);
            int[] residual = words(payload, hidden, random);
            int[] gamma = words(Payload.ORDINARY, hidden, random);
            float eps = random.nextInt(4) == 0 ? 0f : 1e-6f;
            float bias = random.nextInt(2);

            CanonicalRow row = new CanonicalRow(DType.FP32, hidden);
            row.weights(gamma, 0, hidden, bias);
            row.start(hidden);
            row.add(one, 0);
            row.add(two, 0);
            row.add(residual, 0);
            int[] expectedResidual = new int[hidden];
            int[] expectedNorm = new int[hidden];
            row.round(expectedResidual, 0);
            row.norm(expectedResidual, 0, eps, expectedNorm, 0);

            int[] actualResidual = new int[hidden];
            int[] actualNorm = new int[hidden];
            if (shortWay(one, two, residual, gamma, eps, bias, actualResidual, actualNorm)) {
                used++;
                assertThat(actualResidual).as("residual, seed=%d", seed).isEqualTo(expectedResidual);
                assertThat(actualNorm).as("norm, seed=%d", seed).isEqualTo(expectedNorm);
            }
        }
        assertThat(used).isGreaterThan(1000);
    }

    @Test
    void finiteMeansNeitherNaNNorInfinity() {
        float[] scratch = new float[3000];
        float[] values = new float[3000];
        values[2999] = Float.MAX_VALUE;
        values[7] = -0f;
        values[8] = -Float.MIN_VALUE;
        assertThat(Fp32Rows.areFinite(values, 3000, scratch)).isTrue();
        for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (int place : new int[] {0, 1023, 1024, 2999}) {
                float before = values[place];
                values[place] = bad;
                assertThat(Fp32Rows.areFinite(values, 3000, scratch)).isFalse();
                values[place] = before;
            }
        }
    }

    /** What a kernel does with a row; false when the general way is needed. */
    private static boolean shortWay(
            int[] one,
            int[] two,
            int[] residual,
            int[] gamma,
            float eps,
            float bias,
            int[] outResidual,
            int[] outNorm) {
        int hidden = one.length;
        int blocks = (hidden + Fp32Rows.BLOCK - 1) / Fp32Rows.BLOCK;
        float[][] sums = new float[blocks][];
        float[] roots = new float[Fp32Rows.scratchLength(blocks)];
        float[] scratch = new float[Fp32Rows.scratchLength(Fp32Rows.BLOCK)];
        for (int block = 0; block < blocks; block++) {
            int count = Math.min(Fp32Rows.BLOCK, hidden - block * Fp32Rows.BLOCK);
            sums[block] = floats(one, block, count);
            float[] second = floats(two, block, count);
            float[] third = floats(residual, block, count);
            if ((block & 1) == 0) {
                Fp32Rows.addBoth(sums[block], sums[block], second, third, count);
            } else {
                Fp32Rows.add(sums[block], sums[block], second, count);
                Fp32Rows.addResidual(sums[block], third, count);
            }
            roots[block] = Fp32Rows.sumOfSquares(sums[block], count, scratch);
        }
        float scale = Fp32Rows.scale(roots, blocks, hidden, eps);
        if (Float.isNaN(scale)) {
            return false;
        }
        for (int block = 0; block < blocks; block++) {
            float[] weights = floats(gamma, block, sums[block].length);
            Fp32Rows.addBias(weights, bias, weights.length);
            float[] norm = new float[weights.length];
            Fp32Rows.norm(sums[block], scale, weights, norm, weights.length);
            for (int i = 0; i < norm.length; i++) {
                outResidual[block * Fp32Rows.BLOCK + i] = Float.floatToRawIntBits(sums[block][i]);
                outNorm[block * Fp32Rows.BLOCK + i] = Float.floatToRawIntBits(norm[i]);
            }
        }
        return true;
    }

    private static float[] floats(int[] words, int block, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = Float.intBitsToFloat(words[block * Fp32Rows.BLOCK + i]);
        }
        return values;
    }

    private static int[] words(Payload payload, int hidden, SplittableRandom random) {
        int[] words = new int[hidden];
        payload.tensor(DType.FP32, hidden, random).asIntBuffer().get(words);
        return words;
    }
}
