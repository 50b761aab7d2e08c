package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaFlags;
import io.tutti.gpu.cuda.calls.NativeStructs;
import io.tutti.gpu.cuda.jna.NativeMemory;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.HostMapped;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** Plain device memory, host memory that devices see, copies, and legacy IPC, which knows plain memory alone. */
final class PlainCalls {

    /** Bytes of a Java array are copied through native memory of this size. */
    private static final int STAGING_BYTES = 1 << 20;

    private final Session session;
    private final CopyLanes lanes;
    private final ThreadLocal<NativeMemory> staging =
            ThreadLocal.withInitial(() -> NativeMemory.allocate(STAGING_BYTES));

    PlainCalls(Session session, CopyLanes lanes) {
        this.session = session;
        this.lanes = lanes;
    }

    long allocate(long bytes) {
        long[] pointer = new long[1];
        session.checkRelaxed("cuMemAlloc", () -> session.calls().cuMemAlloc(pointer, bytes), () -> "bytes=" + bytes);
        session.added(Session.Kind.MEMORY);
        return pointer[0];
    }

    void free(long pointer) {
        session.checkRelaxed(
                "cuMemFree", () -> session.calls().cuMemFree(pointer), () -> Session.hex("pointer", pointer));
        session.removed(Session.Kind.MEMORY);
    }

    HostMapped allocateHost(long bytes) {
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw Session.failure("cuMemHostAlloc", CuResult.CUDA_ERROR_INVALID_VALUE.code(), "bytes=" + bytes);
        }
        long[] host = new long[1];
        int flags = CudaFlags.MEMHOSTALLOC_PORTABLE | CudaFlags.MEMHOSTALLOC_DEVICEMAP;
        session.checkRelaxed(
                "cuMemHostAlloc", () -> session.calls().cuMemHostAlloc(host, bytes, flags), () -> "bytes=" + bytes);
        long[] device = new long[1];
        int code = session.calls().cuMemHostGetDevicePointer(device, host[0], 0);
        if (code != 0) {
            int unheeded = session.relaxed(() -> session.calls().cuMemFreeHost(host[0]));
            throw Session.failure(
                    "cuMemHostGetDevicePointer", code, Session.hex("host", host[0]) + " freed=" + (unheeded == 0));
        }
        session.added(Session.Kind.HOST_MEMORY);
        ByteBuffer buffer = NativeMemory.view(host[0], bytes);
        while (buffer.hasRemaining()) {
            buffer.put((byte) 0);
        }
        return new HostMapped(buffer.clear(), device[0]);
    }

    void freeHost(HostMapped memory) {
        long host = NativeMemory.addressOf(memory.buffer().duplicate().clear());
        session.checkRelaxed(
                "cuMemFreeHost", () -> session.calls().cuMemFreeHost(host), () -> Session.hex("host", host));
        session.removed(Session.Kind.HOST_MEMORY);
    }

    // ---- copies -----------------------------------------------------------------------------------------------

    void toDevice(long destination, ByteBuffer source) {
        if (!source.hasRemaining()) {
            return;
        }
        long lane = lanes.current("cuMemcpyHtoD");
        if (source.isDirect()) {
            toDevice(destination, NativeMemory.addressOf(source), source.remaining(), lane);
            Reference.reachabilityFence(source);
            return;
        }
        NativeMemory through = staging.get();
        ByteBuffer rest = source.duplicate();
        for (long at = destination; rest.hasRemaining(); ) {
            int bytes = Math.min(rest.remaining(), STAGING_BYTES);
            through.buffer().clear().put(rest.slice(rest.position(), bytes));
            toDevice(at, through.address(), bytes, lane);
            rest.position(rest.position() + bytes);
            at += bytes;
        }
    }

    private void toDevice(long destination, long host, long bytes, long lane) {
        session.checkRelaxed(
                "cuMemcpyHtoD",
                () -> session.calls().cuMemcpyHtoDAsync(destination, host, bytes, lane),
                () -> Session.hex("destination", destination) + " bytes=" + bytes);
        lanes.await("cuMemcpyHtoD", lane);
    }

    void toHost(ByteBuffer destination, long source) {
        if (!destination.hasRemaining()) {
            return;
        }
        long lane = lanes.current("cuMemcpyDtoH");
        if (destination.isDirect()) {
            toHost(NativeMemory.addressOf(destination), source, destination.remaining(), lane);
            Reference.reachabilityFence(destination);
            return;
        }
        NativeMemory through = staging.get();
        ByteBuffer rest = destination.duplicate();
        for (long at = source; rest.hasRemaining(); ) {
            int bytes = Math.min(rest.remaining(), STAGING_BYTES);
            toHost(through.address(), at, bytes, lane);
            rest.put(through.buffer().clear().limit(bytes));
            at += bytes;
        }
    }

    private void toHost(long host, long source, long bytes, long lane) {
        session.checkRelaxed(
                "cuMemcpyDtoH",
                () -> session.calls().cuMemcpyDtoHAsync(host, source, bytes, lane),
                () -> Session.hex("source", source) + " bytes=" + bytes);
        lanes.await("cuMemcpyDtoH", lane);
    }

    void copy(long destination, long source, long bytes, CuStream stream) {
        if (bytes != 0) {
            session.check(
                    "cuMemcpyDtoDAsync",
                    session.calls().cuMemcpyDtoDAsync(destination, source, bytes, stream.value()),
                    () -> Session.hex("destination", destination) + " " + Session.hex("source", source) + " bytes="
                            + bytes);
        }
    }

    void fill(long destination, int value, long count, CuStream stream) {
        if (count != 0) {
            session.check(
                    "cuMemsetD32Async",
                    session.calls().cuMemsetD32Async(destination, value, count, stream.value()),
                    () -> Session.hex("destination", destination) + " count=" + count);
        }
    }

    // ---- legacy IPC -------------------------------------------------------------------------------------------

    byte[] ipcHandle(long pointer) {
        byte[] handle = new byte[NativeStructs.HANDLE_BYTES];
        session.checkRelaxed(
                "cuIpcGetMemHandle",
                () -> session.calls().cuIpcGetMemHandle(handle, pointer),
                () -> Session.hex("pointer", pointer));
        return handle;
    }

    long ipcOpen(byte[] handle) {
        if (handle.length != NativeStructs.HANDLE_BYTES) {
            throw Session.failure(
                    "cuIpcOpenMemHandle", CuResult.CUDA_ERROR_INVALID_VALUE.code(), "handleBytes=" + handle.length);
        }
        long[] pointer = new long[1];
        session.checkRelaxed(
                "cuIpcOpenMemHandle",
                () -> session.calls().cuIpcOpenMemHandle(pointer, handle, CudaFlags.IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                () -> "");
        session.added(Session.Kind.IPC);
        return pointer[0];
    }

    void ipcClose(long pointer) {
        session.checkRelaxed(
                "cuIpcCloseMemHandle",
                () -> session.calls().cuIpcCloseMemHandle(pointer),
                () -> Session.hex("pointer", pointer));
        session.removed(Session.Kind.IPC);
    }
}
