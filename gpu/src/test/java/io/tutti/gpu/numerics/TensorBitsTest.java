package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tutti.gpu.DType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorBitsTest {
    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP16"})
    void everyBitPatternWidensToItsExactValue(DType type) {
        for (int bits = 0; bits < 0x10000; bits++) {
            float widened = TensorBits.widen(type, bits);
            int fraction = bits & (fractionSteps(type) - 1);
            int exponent = (bits & 0x7fff) / fractionSteps(type);
            if (exponent == largestExponent(type)) {
                float expected =
                        fraction != 0 ? Float.NaN : bits < 0x8000 ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
                assertThat(Float.floatToIntBits(widened)).as("%04x", bits).isEqualTo(Float.floatToIntBits(expected));
            } else {
                BigDecimal magnitude = finiteValue(type, bits & 0x7fff);
                BigDecimal value = bits < 0x8000 ? magnitude : magnitude.negate();
                assertThat(new BigDecimal(widened)).as("%04x", bits).isEqualByComparingTo(value);
                assertThat(Float.floatToRawIntBits(widened) < 0)
                        .as("sign of %04x", bits)
                        .isEqualTo(bits >= 0x8000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP16"})
    void everyBitPatternButNaNAndNegativeZeroSurvivesARoundTrip(DType type) {
        int infinity = largestExponent(type) * fractionSteps(type);
        for (int bits = 0; bits < 0x10000; bits++) {
            int expected = (bits & 0x7fff) > infinity ? 0x7fff : bits == 0x8000 ? 0 : bits;
            assertThat(TensorBits.round(type, TensorBits.widen(type, bits)))
                    .as("%04x", bits)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP16"})
    void everyMidpointAndItsNeighboursRoundToTheNearestEven(DType type) {
        BigDecimal[] values = valuesWithOverflow(type);
        for (int i = 0; i + 1 < values.length; i++) {
            float midpoint =
                    values[i].add(values[i + 1]).divide(BigDecimal.valueOf(2)).floatValue();
            int even = i % 2 == 0 ? i : i + 1;
            assertRoundsTo(type, midpoint, even);
            assertRoundsTo(type, Math.nextDown(midpoint), i);
            assertRoundsTo(type, Math.nextUp(midpoint), i + 1);
            assertRoundsTo(type, values[i].floatValue(), i);
            if (i > 0) {
                assertRoundsTo(
                        type,
                        Math.nextDown(values[i].floatValue()),
                        nearest(values, Math.nextDown(values[i].floatValue())));
            }
        }
        assertRoundsTo(type, Float.MAX_VALUE, values.length - 1);
        assertRoundsTo(type, Float.POSITIVE_INFINITY, values.length - 1);
        assertRoundsTo(type, Float.MIN_VALUE, 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP16"})
    void randomValuesRoundToTheNearestOfAllValues(DType type) {
        BigDecimal[] values = valuesWithOverflow(type);
        long seed = 20260101;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100_000; i++) {
            float value = Float.intBitsToFloat(random.nextInt() & 0x7fffffff);
            if (!Float.isNaN(value)) {
                assertRoundsTo(type, value, nearest(values, value));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void anyNaNBecomesTheOneNaNAndNegativeZeroBecomesZero(DType type) {
        int nan = type.bytes() == 2 ? 0x7fff : 0x7fffffff;
        for (int bits :
                new int[] {0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001, 0xffc00000, 0xffffffff, 0x7f801fff}) {
            assertThat(TensorBits.round(type, Float.intBitsToFloat(bits)))
                    .as("%08x", bits)
                    .isEqualTo(nan);
        }
        assertThat(TensorBits.round(type, -0f)).isZero();
        assertThat(TensorBits.round(type, 0f)).isZero();
        assertThat(TensorBits.round(type, Float.POSITIVE_INFINITY - Float.POSITIVE_INFINITY))
                .isEqualTo(nan);
    }

    @Test
    void fp32KeepsEveryOtherBitPattern() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100_000; i++) {
            int bits = random.nextInt();
            float value = TensorBits.widen(DType.FP32, bits);
            if (!Float.isNaN(value) && bits != 0x80000000) {
                assertThat(TensorBits.round(DType.FP32, value)).isEqualTo(bits);
            }
        }
    }

    @Test
    void fp16AgreesWithTheJdkWhereItHasTheConversion() throws Throwable {
        assumeTrue(Runtime.version().feature() >= 20, "Float.floatToFloat16 exists from Java 20");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle toHalf =
                lookup.findStatic(Float.class, "floatToFloat16", MethodType.methodType(short.class, float.class));
        MethodHandle toFloat =
                lookup.findStatic(Float.class, "float16ToFloat", MethodType.methodType(float.class, short.class));
        for (int bits = 0; bits < 0x10000; bits++) {
            float widened = (float) toFloat.invokeExact((short) bits);
            assertThat(Float.floatToIntBits(TensorBits.widen(DType.FP16, bits)))
                    .isEqualTo(Float.floatToIntBits(widened));
        }
        for (int step = 0; step < 1 << 21; step++) {
            float value = Float.intBitsToFloat(step * 2047);
            int expected = (short) toHalf.invokeExact(value) & 0xffff;
            int canonical = Float.isNaN(value) ? 0x7fff : expected == 0x8000 ? 0 : expected;
            if (TensorBits.round(DType.FP16, value) != canonical) {
                fail("%08x rounds to %04x", step * 2047, TensorBits.round(DType.FP16, value));
            }
        }
    }

    private static void assertRoundsTo(DType type, float value, int index) {
        int actual = TensorBits.round(type, value);
        int negative = TensorBits.round(type, -value);
        if (actual != index || negative != (index == 0 ? 0 : index | 0x8000)) {
            fail(
                    "%s %08x rounds to %04x and its negative to %04x instead of %04x",
                    type, Float.floatToRawIntBits(value), actual, negative, index);
        }
    }

    /** The index, and so the bits, of the value nearest to a non-negative one, ties to even; found by comparing distances. */
    private static int nearest(BigDecimal[] values, float value) {
        if (Float.isInfinite(value)) {
            return values.length - 1;
        }
        BigDecimal exact = new BigDecimal(value);
        int found = Arrays.binarySearch(values, exact);
        if (found >= 0) {
            return found;
        }
        int above = -found - 1;
        if (above == values.length) {
            return values.length - 1;
        }
        int order = exact.subtract(values[above - 1]).compareTo(values[above].subtract(exact));
        if (order == 0) {
            return above % 2 == 0 ? above : above - 1;
        }
        return order < 0 ? above - 1 : above;
    }

    /** All non-negative finite values in the order of their bits, then the one that would follow: it stands for infinity. */
    private static BigDecimal[] valuesWithOverflow(DType type) {
        int infinity = largestExponent(type) * fractionSteps(type);
        BigDecimal[] values = new BigDecimal[infinity + 1];
        for (int bits = 0; bits <= infinity; bits++) {
            values[bits] = finiteValue(type, bits);
        }
        return values;
    }

    /** The value by definition: whole steps times a power of two. */
    private static BigDecimal finiteValue(DType type, int magnitude) {
        int steps = fractionSteps(type);
        int exponent = magnitude / steps;
        int smallestExponent = type == DType.BF16 ? -126 : -14;
        long significand = exponent == 0 ? magnitude : steps + magnitude % steps;
        int power = Math.max(exponent, 1) - 1 + smallestExponent - Integer.numberOfTrailingZeros(steps);
        BigDecimal scale = power >= 0
                ? new BigDecimal(BigInteger.TWO.pow(power))
                : BigDecimal.ONE.divide(new BigDecimal(BigInteger.TWO.pow(-power)));
        return scale.multiply(BigDecimal.valueOf(significand));
    }

    private static int fractionSteps(DType type) {
        return type == DType.BF16 ? 1 << 7 : 1 << 10;
    }

    private static int largestExponent(DType type) {
        return type == DType.BF16 ? 255 : 31;
    }
}
