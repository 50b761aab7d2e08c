package io.tutti.gpu.memory;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;

/**
 * {@link HandleKind#FABRIC}: 64 opaque bytes, plain data in the offer, that every device of the exporter's NVLink clique
 * can import, on this host or another. Both sides need an IMEX channel, else creating, exporting or importing answers 800,
 * as importing from another clique does.
 */
public final class FabricTransport implements HandleTransport {

    @Override
    public HandleKind kind() {
        return HandleKind.FABRIC;
    }

    @Override
    public MemoryNeed need() {
        return new MemoryNeed.Virtual(ShareableType.FABRIC);
    }

    @Override
    public ExportedMemory export(Driver driver, Sharing sharing, WorkspaceMemory memory, MemoryOffer template) {
        ShareableHandle shared = driver.memExportToShareableHandle(memory.handle(), ShareableType.FABRIC);
        if (!(shared instanceof ShareableHandle.Fabric fabric)) {
            throw new IllegalStateException("the driver gave another handle type: " + shared);
        }
        return Exported.plainData(template.withHandle(fabric.bytes()));
    }

    @Override
    public ImportedMemory importOffer(Driver driver, Sharing sharing, int device, MemoryOffer offer) {
        return Imported.map(driver, device, new ShareableHandle.Fabric(offer.handle()), offer.bytes());
    }
}
