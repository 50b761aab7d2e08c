package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;

/**
 * Bulk conversion of one tensor type. A <em>word</em> is 32 little-endian bits of a row: one fp32 element, or two 16-bit
 * elements with the even one in the low half. A row of floats is kept as one array per element of a word, its
 * <em>lanes</em>: lane 0 holds each word's first element, lane 1 each word's second.
 *
 * <p>C2 vectorises a loop only when no access has a stride, all arrays are indexed alike (one array at {@code i}, another
 * at {@code offset + i} is enough to stop it, since they might overlap), the body is short, and floats are not
 * reinterpreted as bits in it. Lanes remove the strides, copies into scratch remove the offsets, and {@link RowScratch}
 * reinterprets in bulk.
 */
sealed interface RowFormat permits Bf16, Fp16, Fp32 {
    static RowFormat of(DType type) {
        return switch (type) {
            case BF16 -> Bf16.ROWS;
            case FP16 -> Fp16.ROWS;
            case FP32 -> Fp32.ROWS;
        };
    }

    /** Elements of a word: 1 or 2. */
    int lanes();

    /** Widens {@code count} words. */
    void widen(int[] words, int offset, int count, float[][] lanes, RowScratch scratch);

    /** Rounds {@code count} words' worth of elements. */
    void round(float[][] lanes, int count, int[] words, int offset, RowScratch scratch);
}
