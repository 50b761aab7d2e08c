package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaFlags;
import io.tutti.gpu.cuda.calls.NativeStructs;
import io.tutti.gpu.cuda.jna.NativeMemory;
import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import java.nio.ByteBuffer;

/** Virtual memory and the multicast query. Structs lie in a small native block of the calling thread. */
final class VirtualCalls {

    private static final int BLOCK_BYTES = 64;

    private final Session session;
    private final ThreadLocal<NativeMemory> block = ThreadLocal.withInitial(() -> NativeMemory.allocate(BLOCK_BYTES));

    VirtualCalls(Session session) {
        this.session = session;
    }

    long granularity(AllocationProperties properties) {
        NativeMemory struct = properties(properties);
        long[] bytes = new long[1];
        session.check(
                "cuMemGetAllocationGranularity",
                session.calls()
                        .cuMemGetAllocationGranularity(bytes, struct.address(), CudaFlags.GRANULARITY_RECOMMENDED),
                () -> describe(properties));
        return bytes[0];
    }

    CuMemHandle create(long bytes, AllocationProperties properties) {
        NativeMemory struct = properties(properties);
        long[] handle = new long[1];
        session.checkRelaxed(
                "cuMemCreate",
                () -> session.calls().cuMemCreate(handle, bytes, struct.address(), 0),
                () -> "bytes=" + bytes + " " + describe(properties));
        session.added(Session.Kind.HANDLE);
        return new CuMemHandle(handle[0]);
    }

    void release(CuMemHandle handle) {
        session.checkRelaxed(
                "cuMemRelease",
                () -> session.calls().cuMemRelease(handle.value()),
                () -> Session.hex("handle", handle.value()));
        session.removed(Session.Kind.HANDLE);
    }

    long reserve(long bytes, long alignment) {
        long[] address = new long[1];
        session.checkRelaxed(
                "cuMemAddressReserve",
                () -> session.calls().cuMemAddressReserve(address, bytes, alignment, 0, 0),
                () -> "bytes=" + bytes + " alignment=" + alignment);
        session.added(Session.Kind.RESERVATION);
        return address[0];
    }

    void unreserve(long address, long bytes) {
        session.checkRelaxed(
                "cuMemAddressFree",
                () -> session.calls().cuMemAddressFree(address, bytes),
                () -> range(address, bytes));
        session.removed(Session.Kind.RESERVATION);
    }

    void map(long address, long bytes, CuMemHandle handle) {
        session.checkRelaxed(
                "cuMemMap",
                () -> session.calls().cuMemMap(address, bytes, 0, handle.value(), 0),
                () -> range(address, bytes) + " " + Session.hex("handle", handle.value()));
        session.added(Session.Kind.MAPPING);
    }

    void unmap(long address, long bytes) {
        session.checkRelaxed(
                "cuMemUnmap", () -> session.calls().cuMemUnmap(address, bytes), () -> range(address, bytes));
        session.removed(Session.Kind.MAPPING);
    }

    void setAccess(long address, long bytes, int device) {
        NativeMemory struct = block.get();
        NativeStructs.accessDesc(struct.buffer(), 0, device);
        session.checkRelaxed(
                "cuMemSetAccess",
                () -> session.calls().cuMemSetAccess(address, bytes, struct.address(), 1),
                () -> range(address, bytes) + " device=" + device);
    }

    ShareableHandle export(CuMemHandle handle, ShareableType type) {
        if (type == ShareableType.NONE) {
            throw Session.failure(
                    "cuMemExportToShareableHandle", CuResult.CUDA_ERROR_INVALID_VALUE.code(), "type=" + type);
        }
        NativeMemory out = block.get();
        session.checkRelaxed(
                "cuMemExportToShareableHandle",
                () -> session.calls().cuMemExportToShareableHandle(out.address(), handle.value(), type.code(), 0),
                () -> Session.hex("handle", handle.value()) + " type=" + type);
        if (type == ShareableType.POSIX_FD) {
            return new ShareableHandle.PosixFd(out.buffer().getInt(0));
        }
        byte[] bytes = new byte[NativeStructs.HANDLE_BYTES];
        out.buffer().get(0, bytes);
        return new ShareableHandle.Fabric(bytes);
    }

    CuMemHandle importHandle(ShareableHandle shareable) {
        long[] handle = new long[1];
        if (shareable instanceof ShareableHandle.PosixFd descriptor) {
            // The descriptor's number takes the place of the pointer.
            session.checkRelaxed(
                    "cuMemImportFromShareableHandle",
                    () -> session.calls()
                            .cuMemImportFromShareableHandle(handle, descriptor.fd(), ShareableType.POSIX_FD.code()),
                    () -> "fd=" + descriptor.fd());
        } else {
            importFabric(handle, ((ShareableHandle.Fabric) shareable).bytes());
        }
        session.added(Session.Kind.HANDLE);
        return new CuMemHandle(handle[0]);
    }

    private void importFabric(long[] handle, byte[] bytes) {
        if (bytes.length != NativeStructs.HANDLE_BYTES) {
            throw Session.failure(
                    "cuMemImportFromShareableHandle",
                    CuResult.CUDA_ERROR_INVALID_VALUE.code(),
                    "fabricBytes=" + bytes.length);
        }
        NativeMemory in = block.get();
        in.buffer().put(0, bytes);
        session.checkRelaxed(
                "cuMemImportFromShareableHandle",
                () -> session.calls().cuMemImportFromShareableHandle(handle, in.address(), ShareableType.FABRIC.code()),
                () -> "type=" + ShareableType.FABRIC);
    }

    long multicastGranularity(int devices, long bytes, ShareableType type) {
        NativeMemory struct = block.get();
        NativeStructs.multicastProp(struct.buffer(), 0, devices, bytes, type);
        long[] granularity = new long[1];
        session.check(
                "cuMulticastGetGranularity",
                session.calls()
                        .cuMulticastGetGranularity(granularity, struct.address(), CudaFlags.GRANULARITY_RECOMMENDED),
                () -> "devices=" + devices + " bytes=" + bytes + " type=" + type);
        return granularity[0];
    }

    private NativeMemory properties(AllocationProperties properties) {
        NativeMemory struct = block.get();
        ByteBuffer buffer = struct.buffer();
        NativeStructs.allocationProp(buffer, 0, properties);
        return struct;
    }

    private static String describe(AllocationProperties properties) {
        return "device=" + properties.device() + " shareable=" + properties.shareable();
    }

    private static String range(long address, long bytes) {
        return Session.hex("address", address) + " bytes=" + bytes;
    }
}
