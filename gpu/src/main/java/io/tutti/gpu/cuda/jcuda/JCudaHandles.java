package io.tutti.gpu.cuda.jcuda;

import io.tutti.gpu.driver.CuStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUstream;

/**
 * Numbers as JCuda's objects and back. JCuda keeps the number of a handle in a private field of its base class and offers
 * no way in or out, so the field is read and written itself.
 */
public final class JCudaHandles {

    private static final VarHandle NATIVE_POINTER = field(NativePointerObject.class, "nativePointer", long.class);
    private static final VarHandle BYTE_OFFSET = field(Pointer.class, "byteOffset", long.class);
    private static final VarHandle IPC_BYTES = field(CUipcMemHandle.class, "reserved", byte[].class);

    private JCudaHandles() {}

    /** The address that a user's own JCuda code holds, with its byte offset. */
    public static long address(CUdeviceptr pointer) {
        return value(pointer) + (long) BYTE_OFFSET.get(pointer);
    }

    /** A stream of a user's own JCuda code; it stays the user's. */
    public static CuStream stream(CUstream stream) {
        return new CuStream(value(stream));
    }

    /** Fails early, with a linkage error, where another version of JCuda keeps its numbers elsewhere. */
    static void requireAccess() {
        CUdeviceptr pointer = of(new CUdeviceptr(), 42);
        if (address(pointer) != 42) {
            throw new UnsatisfiedLinkError("JCuda's handles cannot be read");
        }
    }

    static long value(NativePointerObject object) {
        return (long) NATIVE_POINTER.get(object);
    }

    static <T extends NativePointerObject> T of(T object, long value) {
        NATIVE_POINTER.set(object, value);
        return object;
    }

    static CUdeviceptr device(long address) {
        return of(new CUdeviceptr(), address);
    }

    static Pointer host(long address) {
        return of(new Pointer(), address);
    }

    static CUstream stream(long stream) {
        return of(new CUstream(), stream);
    }

    static CUdevice ordinal(int device) {
        return of(new CUdevice(), device);
    }

    static byte[] bytes(CUipcMemHandle handle) {
        return (byte[]) IPC_BYTES.get(handle);
    }

    private static VarHandle field(Class<?> owner, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("JCuda keeps its handles elsewhere: field=" + owner.getName() + "." + name, e);
        }
    }
}
