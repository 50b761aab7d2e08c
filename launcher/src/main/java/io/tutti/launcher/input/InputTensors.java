package io.tutti.launcher.input;

import java.nio.ByteBuffer;

/**
 * The input tensors of one operation. Every method fills a buffer's remaining bytes, which must be whole rows, with
 * little-endian elements; the same rows have the same bytes however often and in whatever pieces they are asked for. May
 * be used from any thread.
 */
public interface InputTensors {

    /** One partial a rank. */
    int worldSize();

    OperationShape shape();

    /** Rows of one rank's partial, from row {@code firstToken} on. */
    void partial(int rank, long firstToken, ByteBuffer rows);

    /** Rows of the residual. */
    void residual(long firstToken, ByteBuffer rows);

    /** The norm's weight, one row. */
    void gamma(ByteBuffer row);
}
