package io.tutti.gpu.memory;

import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.workspace.WorkspaceLayout;

/**
 * A rank's own workspace: physical memory made by {@code cuMemCreate} and mapped for the rank's device. Owned by the
 * rank's thread; {@link #close} unmaps and drops the reference, once.
 */
public final class WorkspaceMemory implements AutoCloseable {

    private final long address;
    private final long bytes;
    private final CuMemHandle handle;
    private final UndoStack undo;

    private WorkspaceMemory(long address, long bytes, CuMemHandle handle, UndoStack undo) {
        this.address = address;
        this.bytes = bytes;
        this.handle = handle;
        this.undo = undo;
    }

    /** Mapped bytes of a layout, a multiple of the device's granularity. */
    public static long mappedBytes(Driver driver, int device, ShareableType shareable, WorkspaceLayout layout) {
        long granularity = driver.memGetAllocationGranularity(new AllocationProperties(device, shareable));
        return Math.multiplyExact(Math.floorDiv(layout.totalBytes() + granularity - 1, granularity), granularity);
    }

    /**
     * Really allocates, so that a rank without memory says so now.
     *
     * @throws io.tutti.gpu.driver.DriverException with nothing left behind
     */
    public static WorkspaceMemory allocate(Driver driver, int device, ShareableType shareable, WorkspaceLayout layout) {
        AllocationProperties properties = new AllocationProperties(device, shareable);
        long bytes = mappedBytes(driver, device, shareable, layout);
        try (UndoStack undo = new UndoStack()) {
            CuMemHandle handle = driver.memCreate(bytes, properties);
            undo.push(() -> driver.memRelease(handle));
            long address = driver.memAddressReserve(bytes, 0);
            undo.push(() -> driver.memAddressFree(address, bytes));
            driver.memMap(address, bytes, handle);
            undo.push(() -> driver.memUnmap(address, bytes));
            driver.memSetAccess(address, bytes, device);
            return new WorkspaceMemory(address, bytes, handle, undo.keep());
        }
    }

    public long address() {
        return address;
    }

    /** Mapped bytes. */
    public long bytes() {
        return bytes;
    }

    public CuMemHandle handle() {
        return handle;
    }

    @Override
    public void close() {
        undo.close();
    }
}
