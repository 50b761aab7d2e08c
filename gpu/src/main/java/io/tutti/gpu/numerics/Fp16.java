package io.tutti.gpu.numerics;

/** fp16, which Java 17 cannot convert. Branch-free, so that C2 can vectorise the loops. */
final class Fp16 implements RowFormat {
    static final RowFormat ROWS = new Fp16();

    /** What takes a value whose fp16 exponent was read as an fp32 exponent to its true size: both biases differ by 112. */
    private static final float REBIAS = 0x1p112f;

    /** Adding this leaves, in the low bits of the sum, a value below 2^-14 rounded to fp16's smallest step, 2^-24. */
    private static final float SUBNORMAL_STEP = 0.5f;

    private Fp16() {}

    static float widen(int bits) {
        return Float.intBitsToFloat(expand(bits)) * REBIAS;
    }

    static int round(float value) {
        return round(Float.floatToRawIntBits(value), Float.floatToRawIntBits(Math.abs(value) + SUBNORMAL_STEP));
    }

    /**
     * Fields of the low half moved to where fp32 has them. The exponent keeps fp16's bias; that of an infinity or a NaN is
     * widened to all ones. The multiplication by {@link #REBIAS} that follows is exact, for subnormals too.
     */
    private static int expand(int bits) {
        int magnitude = bits & 0x7fff;
        int notFinite = (0x7bff - magnitude) >> 31;
        return ((bits & 0x8000) << 16) | (magnitude << 13) | (notFinite & 0x7f800000);
    }

    /**
     * Rounds an fp32 bit pattern; the result is in the low half.
     *
     * @param sum the bits of the value's magnitude + {@link #SUBNORMAL_STEP}
     */
    private static int round(int bits, int sum) {
        int magnitude = bits & 0x7fffffff;
        int normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >> 13;
        int subnormal = sum - 0x3f000000;
        int small = (magnitude - 0x38800000) >> 31;
        int rounded = (normal & ~small) | (subnormal & small);
        int overflow = (0x7c00 - rounded) >> 31;
        int limited = (rounded & ~overflow) | (0x7c00 & overflow);
        int signUnlessZero = (bits >>> 16) & 0x8000 & (-limited >> 31);
        int nan = (0x7f800000 - magnitude) >> 31;
        return ((limited | signUnlessZero) & ~nan) | (0x7fff & nan);
    }

    @Override
    public int lanes() {
        return 2;
    }

    @Override
    public void widen(int[] words, int offset, int count, float[][] lanes, RowScratch scratch) {
        System.arraycopy(words, offset, scratch.first, 0, count);
        expandLow(scratch.first, scratch.second, count);
        scratch.toFloats(scratch.second, 0, lanes[0], count);
        rebias(lanes[0], count);
        expandHigh(scratch.first, scratch.second, count);
        scratch.toFloats(scratch.second, 0, lanes[1], count);
        rebias(lanes[1], count);
    }

    @Override
    public void round(float[][] lanes, int count, int[] words, int offset, RowScratch scratch) {
        roundLane(lanes[0], scratch.first, count, scratch);
        roundLane(lanes[1], scratch.second, count, scratch);
        RowScratch.pack(scratch.first, scratch.second, scratch.third, count);
        System.arraycopy(scratch.third, 0, words, offset, count);
    }

    private static void roundLane(float[] lane, int[] bits, int count, RowScratch scratch) {
        addSubnormalStep(lane, scratch.floats, count);
        scratch.toBits(scratch.floats, scratch.third, count);
        scratch.toBits(lane, bits, count);
        roundAll(bits, scratch.third, count);
    }

    private static void expandLow(int[] words, int[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = expand(words[i]);
        }
    }

    private static void expandHigh(int[] words, int[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = expand(words[i] >>> 16);
        }
    }

    private static void rebias(float[] lane, int count) {
        for (int i = 0; i < count; i++) {
            lane[i] *= REBIAS;
        }
    }

    private static void addSubnormalStep(float[] lane, float[] sums, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] = Math.abs(lane[i]) + SUBNORMAL_STEP;
        }
    }

    private static void roundAll(int[] bits, int[] sums, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = round(bits[i], sums[i]);
        }
    }
}
