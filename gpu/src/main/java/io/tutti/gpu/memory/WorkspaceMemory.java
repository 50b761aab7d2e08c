package io.tutti.gpu.memory;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A rank's own workspace, mapped for the rank's device: virtual memory ({@code cuMemCreate}), or plain memory ({@code
 * cuMemAlloc}) where legacy IPC carries it. Owned by the rank's thread; {@link #close} gives it back, once.
 */
public final class WorkspaceMemory implements AutoCloseable {

    private final int device;
    private final long address;
    private final long bytes;
    private final @Nullable CuMemHandle handle;
    private final UndoStack undo;

    private WorkspaceMemory(int device, long address, long bytes, @Nullable CuMemHandle handle, UndoStack undo) {
        this.device = device;
        this.address = address;
        this.bytes = bytes;
        this.handle = handle;
        this.undo = undo;
    }

    /**
     * Really allocates what all of these kinds can carry, so that a rank without memory says so now.
     *
     * @param kinds the agreed handle kinds; none in a world of one
     * @throws DriverException with nothing left behind
     * @throws HandleException when the driver refuses memory for one of the kinds
     */
    public static WorkspaceMemory allocate(
            Driver driver,
            int device,
            HandleTransports transports,
            Collection<HandleKind> kinds,
            WorkspaceLayout layout) {
        MemoryNeed need = transports.need(kinds);
        if (need instanceof MemoryNeed.Plain) {
            return plain(driver, device, layout);
        }
        if (need instanceof MemoryNeed.Virtual virtual) {
            try {
                return virtual(driver, device, virtual.shareable(), layout);
            } catch (DriverException e) {
                throw explain(e, virtual.shareable());
            }
        }
        return virtual(driver, device, ShareableType.NONE, layout);
    }

    /** Out of memory is nobody's fault; anything else is the fault of the kind that asks for most. */
    private static TuttiException explain(DriverException e, ShareableType shareable) {
        if (e.result() == CuResult.CUDA_ERROR_OUT_OF_MEMORY) {
            return e;
        }
        HandleKind kind = shareable.includes(ShareableType.FABRIC) ? HandleKind.FABRIC : HandleKind.POSIX_FD;
        return new HandleException(kind, e.info(), e);
    }

    /** Whole granules also here: what shares a granule with other memory would be handed out with it. */
    private static WorkspaceMemory plain(Driver driver, int device, WorkspaceLayout layout) {
        long bytes = mappedBytes(driver, device, ShareableType.NONE, layout);
        long address = driver.memAlloc(bytes);
        UndoStack undo = new UndoStack();
        undo.push(() -> driver.memFree(address));
        return new WorkspaceMemory(device, address, bytes, null, undo);
    }

    private static WorkspaceMemory virtual(Driver driver, int device, ShareableType shareable, WorkspaceLayout layout) {
        long bytes = mappedBytes(driver, device, shareable, layout);
        try (UndoStack undo = new UndoStack()) {
            CuMemHandle handle = driver.memCreate(bytes, new AllocationProperties(device, shareable));
            undo.push(() -> driver.memRelease(handle));
            long address = driver.memAddressReserve(bytes, 0);
            undo.push(() -> driver.memAddressFree(address, bytes));
            driver.memMap(address, bytes, handle);
            undo.push(() -> driver.memUnmap(address, bytes));
            driver.memSetAccess(address, bytes, device);
            return new WorkspaceMemory(device, address, bytes, handle, undo.keep());
        }
    }

    private static long mappedBytes(Driver driver, int device, ShareableType shareable, WorkspaceLayout layout) {
        long granularity = driver.memGetAllocationGranularity(new AllocationProperties(device, shareable));
        return Math.multiplyExact(Math.floorDiv(layout.totalBytes() + granularity - 1, granularity), granularity);
    }

    /** The device that it is on. */
    int device() {
        return device;
    }

    public long address() {
        return address;
    }

    /** Mapped bytes. */
    public long bytes() {
        return bytes;
    }

    /** Whether it is plain memory, which has no handle. */
    public boolean isPlain() {
        return handle == null;
    }

    /** The handle of virtual memory. */
    CuMemHandle handle() {
        if (handle == null) {
            throw new IllegalStateException("plain memory has no handle: address=0x" + Long.toHexString(address));
        }
        return handle;
    }

    @Override
    public void close() {
        undo.close();
    }
}
