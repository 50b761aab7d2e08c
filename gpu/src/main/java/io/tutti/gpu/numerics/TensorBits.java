package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;

/** Conversions of single elements between a tensor type's bits and fp32. Pure functions, safe on any thread. */
public final class TensorBits {
    private TensorBits() {}

    /**
     * The exact fp32 value of one element.
     *
     * @param bits the element in the low {@code 8 * type.bytes()} bits; the others are ignored
     */
    public static float widen(DType type, int bits) {
        return switch (type) {
            case BF16 -> Bf16.widen(bits);
            case FP16 -> Fp16.widen(bits);
            case FP32 -> Float.intBitsToFloat(bits);
        };
    }

    /**
     * The element nearest to a value, ties to even, in the low {@code 8 * type.bytes()} bits, the others zero. Any NaN
     * becomes the type's one NaN (all bits but the sign set), and a negative zero, also one that arises from underflow,
     * becomes +0.0.
     */
    public static int round(DType type, float value) {
        return switch (type) {
            case BF16 -> Bf16.round(Float.floatToRawIntBits(value));
            case FP16 -> Fp16.round(value);
            case FP32 -> Fp32.round(Float.floatToRawIntBits(value));
        };
    }
}
