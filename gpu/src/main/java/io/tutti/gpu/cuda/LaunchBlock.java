package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.NativeStructs;
import io.tutti.gpu.cuda.jna.NativeMemory;
import io.tutti.gpu.driver.LaunchGeometry;
import java.nio.ByteBuffer;

/**
 * Native memory in which one thread builds its launches: configuration, attributes, the table of one parameter pointer,
 * and the parameter itself. The driver has copied everything when a launch call returns.
 */
final class LaunchBlock {

    /** The largest parameter that the driver takes. */
    static final int LARGEST_STRUCT = 4096;

    private static final int ATTRIBUTES = 64;
    private static final int TABLE = ATTRIBUTES + 2 * NativeStructs.LAUNCH_ATTRIBUTE_BYTES;
    private static final int STRUCT = 256;

    private final NativeMemory memory = NativeMemory.allocate(STRUCT + LARGEST_STRUCT);

    LaunchBlock() {
        memory.buffer().putLong(TABLE, memory.address() + STRUCT);
    }

    /** Takes the parameter's bytes; the buffer's position does not move. */
    void params(ByteBuffer params) {
        memory.buffer().put(STRUCT, params, params.position(), params.remaining());
    }

    /** Writes {@code CUlaunchConfig} and returns its address. */
    long config(LaunchGeometry geometry, long stream) {
        NativeStructs.launchConfig(memory.buffer(), 0, geometry, stream, memory.address() + ATTRIBUTES, ATTRIBUTES);
        return memory.address();
    }

    /** The table of parameter pointers. */
    long table() {
        return memory.address() + TABLE;
    }
}
