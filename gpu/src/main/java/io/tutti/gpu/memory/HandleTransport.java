package io.tutti.gpu.memory;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.Driver;

/**
 * One handle kind's way from an owner's memory to a mapping of a peer's. One implementation per kind; they keep no state
 * of a rank, and may be called from any thread whose current context is the rank's.
 */
public sealed interface HandleTransport
        permits InProcessTransport, PosixFdTransport, FabricTransport, LegacyIpcTransport {

    HandleKind kind();

    /** What the memory must be. */
    MemoryNeed need();

    /**
     * Makes memory reachable for peers. Nothing is published yet: the offer travels in a message.
     *
     * @param sharing the owner
     * @param template the offer with an empty handle
     * @return the complete offer; closing it withdraws the handle, not the memory
     */
    ExportedMemory export(Driver driver, Sharing sharing, WorkspaceMemory memory, MemoryOffer template);

    /**
     * Maps a peer's memory for {@code device}.
     *
     * @param sharing the importer
     * @throws io.tutti.gpu.TuttiException when the handle does not work here
     */
    ImportedMemory importOffer(Driver driver, Sharing sharing, int device, MemoryOffer offer);
}
