package io.tutti.launcher.run;

import io.tutti.launcher.input.OperationShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Cuts a tensor of any length into pieces of whole rows, so that memory stays bounded whatever the tensor's size. */
final class RowChunks {

    /** Work is stopped between two chunks, so a chunk must be done soon. */
    private static final long BUDGET_BYTES = 4L << 20;

    private final OperationShape shape;
    private final int rowsPerChunk;

    /** @param buffers how many buffers of a chunk's size are held at once; their sum stays within the budget */
    RowChunks(OperationShape shape, int buffers) {
        this.shape = shape;
        long rows = BUDGET_BYTES / Math.max(1, buffers) / shape.rowBytes();
        this.rowsPerChunk = (int) Math.max(1, Math.min(rows, shape.tokens()));
    }

    /** Work on the rows from {@code firstToken} on. */
    @FunctionalInterface
    interface Work {
        void on(long firstToken, int tokens);
    }

    /** Runs the work on every chunk in order. */
    void forEach(Work work) {
        for (long first = 0; first < shape.tokens(); first += rowsPerChunk) {
            work.on(first, (int) Math.min(rowsPerChunk, shape.tokens() - first));
        }
    }

    /** A buffer for the largest chunk. */
    ByteBuffer buffer() {
        return ByteBuffer.allocate(rowsPerChunk * shape.rowBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The buffer made ready for that many rows. */
    ByteBuffer rows(ByteBuffer buffer, int tokens) {
        return buffer.clear().limit(tokens * shape.rowBytes());
    }

    /** Offset of a row in its tensor. */
    long byteOffset(long token) {
        return token * shape.rowBytes();
    }
}
