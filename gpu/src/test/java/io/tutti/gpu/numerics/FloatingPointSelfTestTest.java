package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.numerics.FloatingPointSelfTest.Arithmetic;
import io.tutti.gpu.numerics.FloatingPointSelfTest.Sound;
import io.tutti.gpu.numerics.FloatingPointSelfTest.Unsound;
import java.util.List;
import org.junit.jupiter.api.Test;

class FloatingPointSelfTestTest {
    /** Arithmetic whose operands and results go through a fault. */
    private record Faulty(boolean operands, boolean results) implements Arithmetic {
        @Override
        public float add(float a, float b) {
            return result(operand(a) + operand(b));
        }

        @Override
        public float multiply(float a, float b) {
            return result(operand(a) * operand(b));
        }

        private float operand(float value) {
            return operands ? flush(value) : value;
        }

        private float result(float value) {
            return results ? flush(value) : value;
        }

        private static float flush(float value) {
            return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0f, value) : value;
        }
    }

    /** Rounds towards zero what the double sum holds exactly. */
    private static final Arithmetic TRUNCATING = new Arithmetic() {
        @Override
        public float add(float a, float b) {
            return towardsZero((double) a + b);
        }

        @Override
        public float multiply(float a, float b) {
            return towardsZero((double) a * b);
        }

        private float towardsZero(double exact) {
            float nearest = (float) exact;
            return Math.abs((double) nearest) > Math.abs(exact)
                    ? Math.copySign(Math.nextDown(Math.abs(nearest)), nearest)
                    : nearest;
        }
    };

    @Test
    void thisThreadIsSoundWhetherInterpretedOrCompiled() {
        for (int i = 0; i < 30_000; i++) {
            assertThat(FloatingPointSelfTest.check()).isEqualTo(new Sound());
        }
    }

    @Test
    void flushedResultsAreReported() {
        assertThat(findings(new Faulty(false, true))).anyMatch(finding -> finding.contains("results are flushed"));
    }

    @Test
    void operandsReadAsZeroAreReported() {
        assertThat(findings(new Faulty(true, false))).anyMatch(finding -> finding.contains("operands count as zero"));
    }

    @Test
    void anotherRoundingModeIsReported() {
        assertThat(findings(TRUNCATING)).anyMatch(finding -> finding.contains("rounding is not to nearest"));
    }

    private static List<String> findings(Arithmetic unit) {
        return ((Unsound) FloatingPointSelfTest.check(unit)).findings();
    }
}
