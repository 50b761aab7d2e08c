package io.tutti.gpu.memory;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.Driver;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@link HandleKind#IN_PROCESS}: all ranks of a process share one address space, so a peer's mapping is used as it is,
 * once the importing device has been given access. Two drivers in one JVM are two processes to each other. The handle is
 * the address and an id under which the exporter keeps the memory listed; a withdrawn id is refused instead of touching
 * memory that may be gone.
 */
public final class InProcessTransport implements HandleTransport {

    private record Listed(Driver driver, long address, long bytes, int device, boolean plain) {}

    private static final AtomicLong NEXT_ID = new AtomicLong(1);
    private static final Map<Long, Listed> LISTED = new ConcurrentHashMap<>();
    private static final int HANDLE_BYTES = 2 * Long.BYTES;

    @Override
    public HandleKind kind() {
        return HandleKind.IN_PROCESS;
    }

    @Override
    public MemoryNeed need() {
        return new MemoryNeed.Any();
    }

    @Override
    public ExportedMemory export(Driver driver, Sharing sharing, WorkspaceMemory memory, MemoryOffer template) {
        long id = NEXT_ID.getAndIncrement();
        LISTED.put(id, new Listed(driver, memory.address(), memory.bytes(), memory.device(), memory.isPlain()));
        byte[] handle = ByteBuffer.allocate(HANDLE_BYTES)
                .putLong(memory.address())
                .putLong(id)
                .array();
        return new Exported(template.withHandle(handle), () -> LISTED.remove(id));
    }

    @Override
    public ImportedMemory importOffer(Driver driver, Sharing sharing, int device, MemoryOffer offer) {
        if (offer.handle().length != HANDLE_BYTES) {
            throw refused(offer, "the handle has the wrong size: bytes=" + offer.handle().length);
        }
        ByteBuffer handle = ByteBuffer.wrap(offer.handle());
        long address = handle.getLong();
        Listed listed = LISTED.get(handle.getLong());
        if (listed == null || listed.address() != address || listed.bytes() != offer.bytes()) {
            throw refused(offer, "the memory is not exported in this process");
        }
        if (!listed.driver().equals(driver)) {
            // Two emulated hosts in one JVM: the address means something else here.
            throw refused(offer, "another driver of this process exports it");
        }
        if (!listed.plain()) {
            driver.memSetAccess(address, offer.bytes(), device);
        } else if (listed.device() != device) {
            openPeer(driver, listed.device());
        }
        // The mapping is the exporter's; there is nothing of the importer's own to give back.
        return new Imported(address, new UndoStack());
    }

    /** Plain memory is open to a whole context, not by ranges; it stays so. */
    private static void openPeer(Driver driver, int device) {
        CuContext exporter = driver.primaryCtxRetain(device);
        try {
            driver.ctxEnablePeerAccess(exporter);
        } finally {
            driver.primaryCtxRelease(device);
        }
    }

    private static TuttiException refused(MemoryOffer offer, String what) {
        return new TuttiException(ErrorInfo.of(
                ErrorCode.PREFLIGHT,
                "cannot import rank " + offer.rank() + "'s memory in-process: " + what,
                "Use a handle kind that reaches the peer's process."));
    }
}
