package io.tutti.gpu.numerics.reference;

import io.tutti.gpu.DType;
import java.nio.ByteBuffer;

/**
 * A binary floating-point format by its definition: fraction × power of two.
 *
 * @param bytes bytes of an element
 * @param precision binary digits of the significand, the hidden one included
 * @param minExponent exponent of the smallest normal number
 */
record ReferenceFormat(int bytes, int precision, int minExponent) {
    static ReferenceFormat of(DType type) {
        return switch (type) {
            case BF16 -> new ReferenceFormat(2, 8, -126);
            case FP16 -> new ReferenceFormat(2, 11, -14);
            case FP32 -> new ReferenceFormat(4, 24, -126);
        };
    }

    /** Reads an element of a little-endian buffer. */
    float read(ByteBuffer tensor, int element) {
        return decode(bytes == 2 ? tensor.getShort(element * 2) & 0xffff : tensor.getInt(element * 4));
    }

    /** Writes an element to a little-endian buffer. */
    void write(ByteBuffer tensor, int element, int bits) {
        if (bytes == 2) {
            tensor.putShort(element * 2, (short) bits);
        } else {
            tensor.putInt(element * 4, bits);
        }
    }

    /** The value of an element. */
    float decode(int bits) {
        int fraction = bits & (hiddenDigit() - 1);
        int exponentField = (bits & ~signBit() & infinity()) >>> (precision - 1);
        float sign = (bits & signBit()) == 0 ? 1f : -1f;
        if (exponentField == infinity() >>> (precision - 1)) {
            return fraction == 0 ? sign * Float.POSITIVE_INFINITY : Float.NaN;
        }
        int steps = exponentField == 0 ? fraction : hiddenDigit() + fraction;
        int exponent = Math.max(exponentField, 1) - 1 + minExponent;
        return sign * (float) (steps * powerOfTwo(exponent - (precision - 1)));
    }

    /**
     * The canonical element nearest to a value, ties to even: one NaN, no negative zero. A double argument makes it exact for
     * float64 sums too, which must not be rounded to fp32 on the way.
     */
    int encode(double value) {
        if (Double.isNaN(value)) {
            return ~signBit() & (bytes == 2 ? 0xffff : 0xffffffff);
        }
        double magnitude = Math.abs(value);
        int sign = value < 0 ? signBit() : 0;
        if (magnitude >= powerOfTwo(2 - minExponent)) {
            return sign | infinity();
        }
        int exponent = Math.max(Math.getExponent(magnitude), minExponent);
        int steps = (int) Math.rint(magnitude / powerOfTwo(exponent - (precision - 1)));
        // Steps that reach the next power of two carry into the exponent field by this addition, up to infinity.
        int bits = ((exponent - minExponent) << (precision - 1)) + steps;
        return bits == 0 ? 0 : sign | bits;
    }

    private int hiddenDigit() {
        return 1 << (precision - 1);
    }

    private int signBit() {
        return 1 << (8 * bytes - 1);
    }

    private int infinity() {
        return signBit() - hiddenDigit();
    }

    private static double powerOfTwo(int exponent) {
        return Double.longBitsToDouble((long) (exponent + Double.MAX_EXPONENT) << 52);
    }
}
