package io.tutti.gpu.numerics.reference;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tensors of some consecutive tokens, little-endian, row after row, from each buffer's position. The buffers are neither
 * copied nor moved. A large tensor is judged range by range: rows do not depend on each other.
 *
 * @param partials {@code [tokens, hidden]} of each rank, in rank order
 * @param residual {@code [tokens, hidden]}; null only for an epilogue without norm
 * @param gamma {@code [hidden]}; null only for an epilogue without norm
 */
public record ReferenceInputs(
        List<ByteBuffer> partials,
        @Nullable ByteBuffer residual,
        @Nullable ByteBuffer gamma) {
    /** Takes views of the buffers. */
    public ReferenceInputs {
        partials = partials.stream().map(ReferenceInputs::littleEndian).toList();
        residual = residual == null ? null : littleEndian(residual);
        gamma = gamma == null ? null : littleEndian(gamma);
    }

    static ByteBuffer littleEndian(ByteBuffer buffer) {
        return buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    }
}
