package io.tutti.gpu.numerics;

/** fp32: rounding is only the choice of one NaN and one zero. */
final class Fp32 implements RowFormat {
    static final RowFormat ROWS = new Fp32();

    private Fp32() {}

    /** The canonical form of an fp32 bit pattern. */
    static int round(int bits) {
        int magnitude = bits & 0x7fffffff;
        int nan = (0x7f800000 - magnitude) >> 31;
        int notZero = -magnitude >> 31;
        return (bits & notZero & ~nan) | (0x7fffffff & nan);
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public void widen(int[] words, int offset, int count, float[][] lanes, RowScratch scratch) {
        scratch.toFloats(words, offset, lanes[0], count);
    }

    @Override
    public void round(float[][] lanes, int count, int[] words, int offset, RowScratch scratch) {
        scratch.toBits(lanes[0], scratch.first, count);
        roundAll(scratch.first, count);
        System.arraycopy(scratch.first, 0, words, offset, count);
    }

    private static void roundAll(int[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = round(bits[i]);
        }
    }
}
