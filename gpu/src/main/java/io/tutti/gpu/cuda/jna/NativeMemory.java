package io.tutti.gpu.cuda.jna;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Native memory with its address. The memory lives as long as this object.
 *
 * @param buffer the bytes, direct, native byte order
 * @param address of the buffer's first byte
 */
public record NativeMemory(ByteBuffer buffer, long address) {

    /** Zeroed memory. */
    public static NativeMemory allocate(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        return new NativeMemory(buffer, addressOf(buffer));
    }

    /** The native address of a direct buffer's position. */
    public static long addressOf(ByteBuffer direct) {
        return Pointer.nativeValue(Native.getDirectBufferPointer(direct)) + direct.position();
    }

    /** A view of memory that somebody else owns; it must not be touched after that memory is freed. */
    public static ByteBuffer view(long address, long bytes) {
        return new Pointer(address).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
    }
}
