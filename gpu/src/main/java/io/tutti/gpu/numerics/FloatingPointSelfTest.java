package io.tutti.gpu.numerics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the calling thread's floating-point unit whether it still does IEEE arithmetic. A native library built with {@code
 * -ffast-math} can switch flush-to-zero or denormals-are-zero on in the thread that loads it, and a changed rounding mode
 * is as silent; results would then differ between ranks. Each thread has its own control register, so each thread that
 * computes calls {@link #check()} once before its first row.
 */
public final class FloatingPointSelfTest {
    /** The two operations under test; both must round once, to nearest even. */
    interface Arithmetic {
        float add(float a, float b);

        float multiply(float a, float b);
    }

    /** What a thread's arithmetic is like. */
    public sealed interface Result permits Sound, Unsound {}

    /** The thread computes as {@code docs/numerics.md} needs. */
    public record Sound() implements Result {}

    /**
     * The thread must not compute rows.
     *
     * @param findings one sentence for each deviation, with the values in hex
     */
    public record Unsound(List<String> findings) implements Result {
        /** Copies the list. */
        public Unsound {
            findings = List.copyOf(findings);
        }
    }

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(float[].class);

    private FloatingPointSelfTest() {}

    /** Checks the calling thread, in about a microsecond. */
    public static Result check() {
        return check(new Arithmetic() {
            @Override
            public float add(float a, float b) {
                return opaque(a) + opaque(b);
            }

            @Override
            public float multiply(float a, float b) {
                return opaque(a) * opaque(b);
            }
        });
    }

    static Result check(Arithmetic unit) {
        List<String> findings = new ArrayList<>();
        expect(findings, "subnormal results are flushed", unit.multiply(0x1p-126f, 0x1p-1f), 0x1p-127f);
        expect(findings, "subnormal results are flushed", unit.add(0x1.8p-126f, -0x1p-126f), 0x1p-127f);
        expect(findings, "subnormal operands count as zero", unit.multiply(0x1p-149f, 0x1p100f), 0x1p-49f);
        expect(findings, "subnormal operands count as zero", unit.add(0x1p-149f, 0x1p-126f), 0x1.000002p-126f);
        expect(findings, "ties do not round to even", unit.add(1f, 0x1p-24f), 1f);
        expect(findings, "ties do not round to even", unit.add(0x1.000002p0f, 0x1p-24f), 0x1.000004p0f);
        expect(findings, "rounding is not to nearest", unit.add(1f, 0x1.8p-24f), 0x1.000002p0f);
        expect(findings, "rounding is not to nearest", unit.add(-1f, -0x1.8p-24f), -0x1.000002p0f);
        expect(findings, "zero has the wrong sign", unit.add(0f, -0f), 0f);
        return findings.isEmpty() ? new Sound() : new Unsound(findings);
    }

    private static void expect(List<String> findings, String meaning, float actual, float expected) {
        int bits = Float.floatToRawIntBits(actual);
        int wanted = Float.floatToRawIntBits(expected);
        if (bits != wanted) {
            findings.add(String.format("%s: expected=%08x actual=%08x", meaning, wanted, bits));
        }
    }

    /** A value that no compiler may compute with in advance. */
    private static float opaque(float value) {
        float[] cell = new float[1];
        CELL.setVolatile(cell, 0, value);
        return (float) CELL.getVolatile(cell, 0);
    }
}
