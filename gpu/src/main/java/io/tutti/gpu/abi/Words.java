package io.tutti.gpu.abi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Ordered access of host code to host-mapped memory that kernels read or write too. */
public final class Words {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Words() {}

    public static int getIntAcquire(ByteBuffer buffer, int offset) {
        return (int) INT.getAcquire(buffer, offset);
    }

    public static void setIntRelease(ByteBuffer buffer, int offset, int value) {
        INT.setRelease(buffer, offset, value);
    }

    public static long getLongAcquire(ByteBuffer buffer, int offset) {
        return (long) LONG.getAcquire(buffer, offset);
    }
}
