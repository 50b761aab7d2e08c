package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The host's side of a rank's control block. Written on the rank's thread while the stream is idle. */
final class ControlMemory implements AutoCloseable {

    private final Driver driver;
    private final long address;
    private final ByteBuffer image =
            ByteBuffer.allocateDirect(ControlBlock.SIZE).order(ByteOrder.nativeOrder());

    /** Allocates the block and writes its settings. */
    ControlMemory(Driver driver, int rank, int world, long hostAbort, StatusRing ring) {
        this.driver = driver;
        this.address = driver.memAlloc(ControlBlock.SIZE);
        try {
            image.putInt(ControlBlock.MAGIC, KernelAbi.CONTROL_MAGIC)
                    .putInt(ControlBlock.ABI_VERSION, KernelAbi.VERSION)
                    .putInt(ControlBlock.RANK, rank)
                    .putInt(ControlBlock.WORLD, world)
                    .putLong(ControlBlock.HOST_ABORT, hostAbort)
                    .putLong(ControlBlock.STATUS_RING, ring.devicePointer())
                    .putInt(ControlBlock.RING_MASK, StatusRing.RECORDS - 1)
                    .putInt(ControlBlock.LAST_RANK, -1);
            copy(0, ControlBlock.SIZE);
        } catch (RuntimeException e) {
            driver.memFree(address);
            throw e;
        }
    }

    long address() {
        return address;
    }

    /**
     * Lets kernels of an epoch in.
     *
     * @param workspaces where each rank's workspace is mapped, by rank
     */
    void open(EpochId epoch, WorkspaceLayout layout, long[] workspaces) {
        image.putLong(ControlBlock.WORKSPACE_BYTES, layout.totalBytes())
                .putLong(ControlBlock.ABORT_SLOTS, layout.abortSlotsOffset())
                .putLong(ControlBlock.CHANNELS, layout.channelsOffset())
                .putLong(ControlBlock.HEADERS, layout.headersOffset())
                .putLong(ControlBlock.VERIFY, layout.verifyOffset());
        for (StageRegion region : StageRegion.values()) {
            image.putLong(ControlBlock.regionOffset(region), layout.regionOffset(region))
                    .putLong(ControlBlock.regionSlotBytes(region), layout.slotBytes(region));
        }
        for (int rank = 0; rank < workspaces.length; rank++) {
            image.putLong(ControlBlock.workspace(rank), workspaces[rank]);
        }
        image.putLong(ControlBlock.TERM, epoch.term().counter()).putLong(ControlBlock.EPOCH, epoch.epoch());
        copy(ControlBlock.WORKSPACE_BYTES, ControlBlock.CLEAR_BYTES);
        copy(ControlBlock.WORKSPACES, ControlBlock.SIZE);
        copy(ControlBlock.TERM, ControlBlock.RANK);
    }

    /** Makes every kernel that was launched or captured before leave as stale, before it touches a workspace. */
    void shut() {
        image.putLong(ControlBlock.EPOCH, 0);
        copy(ControlBlock.EPOCH, ControlBlock.RANK);
    }

    private void copy(int from, int to) {
        image.limit(to).position(from);
        driver.memcpyHtoD(address + from, image);
        image.clear();
    }

    @Override
    public void close() {
        driver.memFree(address);
    }
}
