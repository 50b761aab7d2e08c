package io.tutti.actors;

import io.tutti.gpu.op.DeviceTensor;
import java.nio.ByteBuffer;

/** Device memory that holds one tensor, owned by whoever allocated it. Methods may be called from any thread. */
public interface TensorMemory extends AutoCloseable {

    /** The view to pass to operations. */
    DeviceTensor tensor();

    /** Copies the tensor's bytes (little endian) from {@code source}'s remaining bytes, which must be exactly as many. */
    void write(ByteBuffer source);

    /** Copies the tensor's bytes (little endian) into {@code destination}'s remaining bytes, exactly as many. */
    void read(ByteBuffer destination);

    /** Gives the memory back; idempotent. */
    @Override
    void close();
}
