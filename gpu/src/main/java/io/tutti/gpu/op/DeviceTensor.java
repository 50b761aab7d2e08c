package io.tutti.gpu.op;

import io.tutti.gpu.DType;
import java.util.Objects;

/**
 * A dense row-major {@code [tokens, hidden]} tensor in device memory. It is a view: it owns nothing, and whoever made
 * the memory keeps it alive until every operation that uses it has completed.
 *
 * @param devicePointer address of the first element, 16-byte aligned
 * @param dtype element type
 * @param tokens rows; 1 for a vector such as gamma
 * @param hidden elements of a row
 */
public record DeviceTensor(long devicePointer, DType dtype, long tokens, long hidden) {

    public DeviceTensor {
        Objects.requireNonNull(dtype, "dtype");
    }

    /** Size in bytes; throws {@link ArithmeticException} where it does not fit into 63 bits. */
    public long bytes() {
        return Math.multiplyExact(Math.multiplyExact(tokens, hidden), (long) dtype.bytes());
    }
}
