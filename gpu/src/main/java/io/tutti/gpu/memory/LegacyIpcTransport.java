package io.tutti.gpu.memory;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.Driver;

/**
 * {@link HandleKind#LEGACY_IPC}: 64 opaque bytes for plain memory, good in other processes of the exporter's host alone:
 * opening answers 201 in the exporter's own process and 400 on another host. The exporter must not free the memory while a
 * process has it open, whose mapping would then be undefined.
 */
public final class LegacyIpcTransport implements HandleTransport {

    @Override
    public HandleKind kind() {
        return HandleKind.LEGACY_IPC;
    }

    @Override
    public MemoryNeed need() {
        return new MemoryNeed.Plain();
    }

    @Override
    public ExportedMemory export(Driver driver, Sharing sharing, WorkspaceMemory memory, MemoryOffer template) {
        return Exported.plainData(template.withHandle(driver.ipcGetMemHandle(memory.address())));
    }

    @Override
    public ImportedMemory importOffer(Driver driver, Sharing sharing, int device, MemoryOffer offer) {
        long address = driver.ipcOpenMemHandle(offer.handle());
        UndoStack undo = new UndoStack();
        undo.push(() -> driver.ipcCloseMemHandle(address));
        return new Imported(address, undo);
    }
}
