package io.tutti.gpu.abi;

import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;

/**
 * Byte offsets of a rank's control block: device memory of the rank itself whose address lives as long as the
 * communicator, so that a captured graph keeps a valid pointer over every epoch. The host writes the settings once at
 * start, and the epoch part only while the stream is idle; kernels of the rank's one stream own the rest.
 */
public final class ControlBlock {

    /** {@code u32}, {@link KernelAbi#CONTROL_MAGIC}. */
    public static final int MAGIC = 0;

    /** {@code u32}, {@link KernelAbi#VERSION}. */
    public static final int ABI_VERSION = 4;

    // ---- the epoch part, written by the host ------------------------------------------------------------------

    /** {@code u64}, the term's counter. */
    public static final int TERM = 8;

    /** {@code u64}, the epoch that may run, or 0 for none. */
    public static final int EPOCH = 16;

    /** {@code u32}. */
    public static final int RANK = 24;

    /** {@code u32}. */
    public static final int WORLD = 28;

    // ---- counters, written by kernels; arm sets all but RETIRED to 0 -------------------------------------------

    /** {@code u64}, the last sequence that started. */
    public static final int SEQUENCE = 32;

    /** {@code u64}, kernels that have left, over all epochs; the next status record's number. */
    public static final int RETIRED = 40;

    // ---- settings, written by the host at start ---------------------------------------------------------------

    /** {@code u64}, device address of the host-mapped abort word, a {@code u32} epoch. */
    public static final int HOST_ABORT = 48;

    /** {@code u64}, device address of the host-mapped status ring. */
    public static final int STATUS_RING = 56;

    /** {@code u32}, records of the ring − 1; the ring's length is a power of two. */
    public static final int RING_MASK = 64;

    // ---- status word, written by kernels ----------------------------------------------------------------------

    /** {@code u32}, {@link StatusCode} of the last kernel that left; users' kernels may read it. */
    public static final int LAST_STATUS = 72;

    /** {@code i32}, the rank that it names, or −1. */
    public static final int LAST_RANK = 76;

    // ---- the epoch part, continued: offsets into every rank's workspace ---------------------------------------

    /** {@code u64}, bytes of the workspace by its layout. */
    public static final int WORKSPACE_BYTES = 80;

    /** {@code u64}, {@link WorkspaceLayout#abortSlotsOffset()}. */
    public static final int ABORT_SLOTS = 88;

    /** {@code u64}, {@link WorkspaceLayout#channelsOffset()}. */
    public static final int CHANNELS = 96;

    /** {@code u64}, {@link WorkspaceLayout#headersOffset()}. */
    public static final int HEADERS = 104;

    /** {@code u64}, {@link WorkspaceLayout#verifyOffset()}. */
    public static final int VERIFY = 112;

    /** {@code struct { u64 offset; u64 slotBytes; }[4]}, by {@link StageRegion}. */
    public static final int REGIONS = 128;

    /** 96 bytes that arm zeroes and nobody uses. */
    public static final int CLEAR_BYTES = 192;

    /** {@code u32[8]}, the grid's own arrival counters; kernels write them. */
    public static final int ARRIVALS = 288;

    /** {@code u64[72]}, where each rank's workspace is mapped for this rank's device. Written by the host. */
    public static final int WORKSPACES = 384;

    /** Bytes of a control block. */
    public static final int SIZE = WORKSPACES + WorkspaceLayout.MAX_WORLD * Long.BYTES + 64;

    private ControlBlock() {}

    public static int regionOffset(StageRegion region) {
        return REGIONS + 16 * region.ordinal();
    }

    public static int regionSlotBytes(StageRegion region) {
        return REGIONS + 16 * region.ordinal() + 8;
    }

    public static int workspace(int rank) {
        return WORKSPACES + Long.BYTES * rank;
    }
}
