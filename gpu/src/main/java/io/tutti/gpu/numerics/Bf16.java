package io.tutti.gpu.numerics;

/** bf16: the upper half of an fp32. Everything is branch-free integer arithmetic, so that C2 can vectorise the loops. */
final class Bf16 implements RowFormat {
    static final RowFormat ROWS = new Bf16();

    private static final int UPPER_HALF = 0xffff0000;

    private Bf16() {}

    static float widen(int bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** Rounds an fp32 bit pattern; the result is in the low half. */
    static int round(int bits) {
        int magnitude = bits & 0x7fffffff;
        // A carry out of the fraction moves on to the next exponent, and from the largest one to infinity.
        int rounded = (magnitude + 0x7fff + ((magnitude >>> 16) & 1)) >>> 16;
        int signUnlessZero = (bits >>> 16) & 0x8000 & (-rounded >> 31);
        int nan = (0x7f800000 - magnitude) >> 31;
        return ((rounded | signUnlessZero) & ~nan) | (0x7fff & nan);
    }

    @Override
    public int lanes() {
        return 2;
    }

    @Override
    public void widen(int[] words, int offset, int count, float[][] lanes, RowScratch scratch) {
        System.arraycopy(words, offset, scratch.first, 0, count);
        lowToUpper(scratch.first, scratch.second, count);
        scratch.toFloats(scratch.second, 0, lanes[0], count);
        keepUpper(scratch.first, scratch.second, count);
        scratch.toFloats(scratch.second, 0, lanes[1], count);
    }

    @Override
    public void round(float[][] lanes, int count, int[] words, int offset, RowScratch scratch) {
        scratch.toBits(lanes[0], scratch.first, count);
        roundAll(scratch.first, count);
        scratch.toBits(lanes[1], scratch.second, count);
        roundAll(scratch.second, count);
        RowScratch.pack(scratch.first, scratch.second, scratch.third, count);
        System.arraycopy(scratch.third, 0, words, offset, count);
    }

    private static void lowToUpper(int[] words, int[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = words[i] << 16;
        }
    }

    private static void keepUpper(int[] words, int[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = words[i] & UPPER_HALF;
        }
    }

    private static void roundAll(int[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = round(bits[i]);
        }
    }
}
