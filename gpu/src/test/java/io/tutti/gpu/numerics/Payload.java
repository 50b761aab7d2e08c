package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Kinds of tensor contents, as raw bits, so that −0.0 and NaN payloads survive. */
public enum Payload {
    /** What a model computes: around 1. */
    ORDINARY {
        @Override
        int element(DType type, SplittableRandom random) {
            return TensorBits.round(type, gaussian(random));
        }
    },
    /** Both zeros, subnormals and the smallest normals. */
    TINY {
        @Override
        int element(DType type, SplittableRandom random) {
            return random.nextInt() & (type == DType.FP32 ? 0x80ffffff : type == DType.BF16 ? 0x80ff : 0x87ff);
        }
    },
    /** Only zeros, of both signs. */
    ZEROS {
        @Override
        int element(DType type, SplittableRandom random) {
            return random.nextBoolean() ? 0 : signBit(type);
        }
    },
    /** So large that sums, squares and roundings overflow. */
    HUGE {
        @Override
        int element(DType type, SplittableRandom random) {
            int largest = TensorBits.round(type, Float.POSITIVE_INFINITY) - 1;
            return (largest - random.nextInt(1 << 6)) | (random.nextInt(4) == 0 ? signBit(type) : 0);
        }
    },
    /** Ordinary, with an infinity, a NaN with a payload, a −0.0 or a largest value here and there. */
    SPRINKLED {
        @Override
        int element(DType type, SplittableRandom random) {
            int infinity = TensorBits.round(type, Float.POSITIVE_INFINITY);
            int sign = random.nextBoolean() ? 0 : signBit(type);
            return switch (random.nextInt(500)) {
                case 0 -> infinity | sign;
                case 1 -> infinity | sign | (1 + random.nextInt(100));
                case 2 -> signBit(type);
                case 3 -> (infinity - 1) | sign;
                default -> ORDINARY.element(type, random);
            };
        }
    },
    /** Any bits at all. */
    ANYTHING {
        @Override
        int element(DType type, SplittableRandom random) {
            return random.nextInt() & (type.bytes() == 2 ? 0xffff : -1);
        }
    };

    abstract int element(DType type, SplittableRandom random);

    /** The payload of a seed: all of them take turns. */
    public static Payload of(long seed) {
        return values()[Math.floorMod(seed, values().length)];
    }

    /** A little-endian tensor of {@code elements} elements. */
    public ByteBuffer tensor(DType type, int elements, SplittableRandom random) {
        ByteBuffer tensor = allocate(type, elements);
        for (int i = 0; i < elements; i++) {
            put(tensor, type, element(type, random));
        }
        return tensor.flip();
    }

    /** An empty little-endian tensor. */
    public static ByteBuffer allocate(DType type, int elements) {
        return ByteBuffer.allocate(elements * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Appends one element. */
    public static void put(ByteBuffer tensor, DType type, int bits) {
        if (type.bytes() == 2) {
            tensor.putShort((short) bits);
        } else {
            tensor.putInt(bits);
        }
    }

    private static int signBit(DType type) {
        return 1 << (8 * type.bytes() - 1);
    }

    private static float gaussian(SplittableRandom random) {
        return (float) (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5) * 2;
    }
}
