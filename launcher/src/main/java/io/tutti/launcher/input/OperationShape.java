package io.tutti.launcher.input;

import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/**
 * The sizes of one operation's tensors.
 *
 * @param tokens rows, from 1
 * @param hidden elements of a row: a multiple of 8, up to {@link #MAX_HIDDEN}
 * @param dtype type of every tensor
 */
public record OperationShape(long tokens, int hidden, DType dtype) {

    /** The longest row that the operation takes. */
    public static final int MAX_HIDDEN = 65_536;

    /** Rows are whole vectors of the kernels. */
    public static final int HIDDEN_MULTIPLE = 8;

    /** Bytes of one row. */
    public int rowBytes() {
        return hidden * dtype.bytes();
    }

    /**
     * Bytes of a {@code [tokens, hidden]} tensor.
     *
     * @throws TuttiException with code USAGE where that does not fit into 63 bits
     */
    public long bytes() {
        try {
            return Math.multiplyExact(tokens, (long) rowBytes());
        } catch (ArithmeticException e) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "a tensor's size does not fit into 63 bits: tokens=" + tokens + " hidden=" + hidden + " dtype="
                            + dtype.wireName(),
                    "Give fewer tokens."));
        }
    }

    /** The shape as people write it. */
    public String describe() {
        return "[" + tokens + " × " + hidden + "] " + dtype.wireName();
    }
}
