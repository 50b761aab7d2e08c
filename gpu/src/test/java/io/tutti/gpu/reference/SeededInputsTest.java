package io.tutti.gpu.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** What a seed stands for. */
final class SeededInputsTest {

    private static final int HIDDEN = 128;

    @Test
    void aRowIsTheSameHoweverManyAreMade() {
        SeededInputs inputs = new SeededInputs(7, 4, HIDDEN, DType.BF16);
        ByteBuffer all = ByteBuffer.allocate(10 * inputs.rowBytes());
        inputs.partialRows(2, 0, 10, all);
        ByteBuffer late = ByteBuffer.allocate(3 * inputs.rowBytes());
        inputs.partialRows(2, 5, 3, late);
        assertThat(late.flip()).isEqualTo(all.slice(5 * inputs.rowBytes(), 3 * inputs.rowBytes()));
    }

    @Test
    void ranksTensorsRowsAndSeedsDiffer() {
        SeededInputs inputs = new SeededInputs(7, 4, HIDDEN, DType.FP32);
        ByteBuffer rows = ByteBuffer.allocate(5 * inputs.rowBytes());
        inputs.partialRows(0, 0, 1, rows);
        inputs.partialRows(1, 0, 1, rows);
        inputs.partialRows(0, 1, 1, rows);
        inputs.residualRows(0, 1, rows);
        new SeededInputs(8, 4, HIDDEN, DType.FP32).partialRows(0, 0, 1, rows);
        for (int one = 0; one < 5; one++) {
            for (int other = 0; other < one; other++) {
                assertThat(rows.slice(one * inputs.rowBytes(), inputs.rowBytes()))
                        .isNotEqualTo(rows.slice(other * inputs.rowBytes(), inputs.rowBytes()));
            }
        }
    }

    @Test
    void valuesLookLikeAModels() {
        SeededInputs inputs = new SeededInputs(1, 2, HIDDEN, DType.FP32);
        ByteBuffer residual = ByteBuffer.allocate(200 * inputs.rowBytes()).order(ByteOrder.LITTLE_ENDIAN);
        inputs.residualRows(0, 200, residual);
        residual.flip();
        double sum = 0;
        double squares = 0;
        int count = 0;
        while (residual.hasRemaining()) {
            int channel = count++ % HIDDEN;
            float value = residual.getFloat();
            assertThat(Math.abs(value)).isLessThan(channel % 64 == 37 ? 24.001f : 4.001f);
            if (channel % 64 != 37) {
                sum += value;
                squares += value * value;
            }
        }
        assertThat(Math.abs(sum / count)).isLessThan(0.02);
        assertThat(Math.sqrt(squares / count)).isBetween(1.0, 1.3);
    }
}
