package io.tutti.actors.api;

import io.tutti.gpu.op.DeviceTensor;
import java.nio.ByteBuffer;

/** Device memory that holds one tensor, owned by whoever allocated it. Methods may be called from any thread. */
public interface TensorMemory extends AutoCloseable {

    /** The view to pass to operations. */
    DeviceTensor tensor();

    /**
     * Copies {@code source}'s remaining bytes (elements little endian) into the tensor.
     *
     * @param byteOffset where they go, from the tensor's first byte
     * @throws io.tutti.gpu.TuttiException with code USAGE when they do not fit, CLOSED after {@link #close}
     */
    void write(long byteOffset, ByteBuffer source);

    /**
     * Fills {@code destination}'s remaining bytes from the tensor.
     *
     * @param byteOffset where they come from, from the tensor's first byte
     * @throws io.tutti.gpu.TuttiException with code USAGE when the tensor has fewer, CLOSED after {@link #close}
     */
    void read(long byteOffset, ByteBuffer destination);

    /** Copies from the tensor's first byte on. */
    default void write(ByteBuffer source) {
        write(0, source);
    }

    /** Copies from the tensor's first byte on. */
    default void read(ByteBuffer destination) {
        read(0, destination);
    }

    /** Gives the memory back; idempotent. */
    @Override
    void close();
}
