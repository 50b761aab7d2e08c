package io.tutti.gpu.host.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;

/**
 * A stretch of emulated device memory as kernels see it: one direct buffer in native order and its typed views, made
 * once per mapping. The base is page-aligned, so an index into a typed view is a byte offset divided by the element
 * size. Bulk copies through the views are plain; the static handles give acquire, release and opaque access to single
 * aligned words.
 */
public final class MemoryWindow {

    /** 32-bit words at an aligned byte offset. */
    public static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** 64-bit words at an aligned byte offset. */
    public static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer bytes;
    private final ShortBuffer shorts;
    private final IntBuffer ints;
    private final FloatBuffer floats;

    public MemoryWindow(ByteBuffer direct) {
        this.bytes = direct.duplicate().order(ByteOrder.nativeOrder());
        this.shorts = bytes.asShortBuffer();
        this.ints = bytes.asIntBuffer();
        this.floats = bytes.asFloatBuffer();
    }

    public ByteBuffer bytes() {
        return bytes;
    }

    public ShortBuffer shorts() {
        return shorts;
    }

    public IntBuffer ints() {
        return ints;
    }

    public FloatBuffer floats() {
        return floats;
    }
}
