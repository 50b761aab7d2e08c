package io.tutti.launcher.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import io.tutti.gpu.numerics.TensorBits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeededTensorsTest {

    private static final int HIDDEN = 64;

    private static SeededTensors tensors(DType dtype, long tokens, long seed) {
        return new SeededTensors(4, new OperationShape(tokens, HIDDEN, dtype), seed);
    }

    private static byte[] partial(SeededTensors tensors, int rank, long first, int rows) {
        ByteBuffer buffer = ByteBuffer.allocate(rows * tensors.shape().rowBytes());
        tensors.partial(rank, first, buffer);
        return buffer.array();
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void anyPieceOfATensorIsTheSameBytes(DType dtype) {
        SeededTensors tensors = tensors(dtype, 9, 5);
        byte[] whole = partial(tensors, 2, 0, 9);
        int row = tensors.shape().rowBytes();
        assertThat(partial(tensors, 2, 3, 4)).isEqualTo(Arrays.copyOfRange(whole, 3 * row, 7 * row));
        assertThat(partial(tensors(dtype, 7, 5), 2, 0, 7)).isEqualTo(Arrays.copyOf(whole, 7 * row));
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void ranksSeedsAndTensorsDiffer(DType dtype) {
        SeededTensors tensors = tensors(dtype, 4, 5);
        byte[] first = partial(tensors, 0, 0, 4);
        assertThat(partial(tensors, 1, 0, 4)).isNotEqualTo(first);
        assertThat(partial(tensors(dtype, 4, 6), 0, 0, 4)).isNotEqualTo(first);
        ByteBuffer residual = ByteBuffer.allocate(first.length);
        tensors.residual(0, residual);
        assertThat(residual.array()).isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void valuesFillTheirRangeEvenly(DType dtype) {
        SeededTensors tensors = tensors(dtype, 1_000, 7);
        assertSpread(dtype, partial(tensors, 3, 0, 1_000), -1, 1);
        ByteBuffer gamma = ByteBuffer.allocate(tensors.shape().rowBytes());
        tensors.gamma(gamma);
        assertSpread(dtype, gamma.array(), 0.5, 1.5);
    }

    private static void assertSpread(DType dtype, byte[] bytes, double low, double high) {
        ByteBuffer elements = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int count = bytes.length / dtype.bytes();
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double value = TensorBits.widen(dtype, dtype.bytes() == 2 ? elements.getShort() : elements.getInt());
            assertThat(value).isBetween(low, high);
            sum += value;
        }
        assertThat(sum / count)
                .isBetween((low + high) / 2 - 3 / Math.sqrt(count), (low + high) / 2 + 3 / Math.sqrt(count));
    }
}
