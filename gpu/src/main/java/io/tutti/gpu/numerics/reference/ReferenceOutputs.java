package io.tutti.gpu.numerics.reference;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the expected tensors of some consecutive tokens go, {@code [tokens, hidden]} each, little-endian, from each buffer's
 * position, which does not move. What is null is not wanted.
 *
 * @param sum the rounded sum over the ranks
 * @param residualOut the new residual; must be null for an epilogue without norm
 * @param normOut the normalised output; must be null for an epilogue without norm
 */
public record ReferenceOutputs(
        @Nullable ByteBuffer sum,
        @Nullable ByteBuffer residualOut,
        @Nullable ByteBuffer normOut) {
    /** Takes views of the buffers. */
    public ReferenceOutputs {
        sum = sum == null ? null : ReferenceInputs.littleEndian(sum);
        residualOut = residualOut == null ? null : ReferenceInputs.littleEndian(residualOut);
        normOut = normOut == null ? null : ReferenceInputs.littleEndian(normOut);
    }
}
