package io.tutti.gpu.memory;

import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.ShareableHandle;

/** A mapping, and what takes it away again. */
record Imported(long address, UndoStack undo) implements ImportedMemory {

    /**
     * Imports a handle of virtual memory and maps it for a device. A descriptor stays the caller's.
     *
     * @throws io.tutti.gpu.driver.DriverException with nothing left behind
     */
    static Imported map(Driver driver, int device, ShareableHandle shareable, long bytes) {
        try (UndoStack undo = new UndoStack()) {
            CuMemHandle handle = driver.memImportFromShareableHandle(shareable);
            undo.push(() -> driver.memRelease(handle));
            long address = driver.memAddressReserve(bytes, 0);
            undo.push(() -> driver.memAddressFree(address, bytes));
            driver.memMap(address, bytes, handle);
            undo.push(() -> driver.memUnmap(address, bytes));
            driver.memSetAccess(address, bytes, device);
            return new Imported(address, undo.keep());
        }
    }

    @Override
    public void close() {
        undo.close();
    }
}
