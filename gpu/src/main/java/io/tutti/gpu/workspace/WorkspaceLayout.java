package io.tutti.gpu.workspace;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.Objects;

/**
 * Where everything lies in a rank's workspace; the only place that computes an offset. All ranks of an epoch have equal
 * layouts, so an offset into one's own workspace is also an offset into a peer's.
 *
 * <pre>
 * signal pad    header | aborted epochs | channels | call headers | verify lines
 * guard
 * stages        one-shot [3][world] | scatter [3][world] | gathered residual [3][world] | gathered sum [3][world]
 * guard
 * </pre>
 *
 * <p>Every part starts on a multiple of {@link #ALIGNMENT} bytes. Who writes what, with which scope and order, is said in
 * {@code docs/memory-model.md}. Immutable; arithmetic is 64-bit and checked.
 */
public final class WorkspaceLayout {

    /** Alignment of every part, in bytes. */
    public static final int ALIGNMENT = 128;

    /** Stages of a Lamport region: one in use, one being cleared, one that a faster peer may already fill. */
    public static final int STAGES = 3;

    /** Largest world size. */
    public static final int MAX_WORLD = 72;

    /** Bytes of the pattern after the pad and after the stages. */
    public static final int GUARD_BYTES = 128;

    /** Bytes of a call header. */
    public static final int HEADER_BYTES = 16;

    /** Bytes that one rank writes into each peer's pad to prove that its stores arrive. */
    public static final int VERIFY_BYTES = 128;

    /** Elements that are never split between two ranks' slices. */
    public static final int VECTOR_ELEMENTS = 8;

    private static final int WIDEST_VECTOR = VECTOR_ELEMENTS * 4;
    private static final int NARROWEST_VECTOR = VECTOR_ELEMENTS * 2;

    private final WorkspaceSpec spec;
    private final long abortSlots;
    private final long channels;
    private final long headers;
    private final long verify;
    private final long padGuard;
    private final long sliceBytes;
    private final long[] regions = new long[StageRegion.values().length];
    private final long endGuard;

    private WorkspaceLayout(WorkspaceSpec spec) {
        this.spec = spec;
        int world = spec.worldSize();
        abortSlots = ALIGNMENT;
        channels = align(abortSlots + 2L * world * Integer.BYTES);
        headers = align(channels + (long) world * Long.BYTES);
        verify = align(headers + (long) STAGES * world * HEADER_BYTES);
        padGuard = align(verify + (long) world * VERIFY_BYTES);
        sliceBytes = sliceBytes(world, spec.twoShotBytes());
        long next = padGuard + GUARD_BYTES;
        for (StageRegion region : StageRegion.values()) {
            regions[region.ordinal()] = next;
            next = Math.addExact(next, Math.multiplyExact((long) STAGES * world, slotBytes(region)));
        }
        endGuard = next;
        Math.addExact(endGuard, GUARD_BYTES);
    }

    /**
     * Lays out a workspace.
     *
     * @throws TuttiException with code CONFIGURATION when a size is out of range or the sum does not fit into 63 bits
     */
    public static WorkspaceLayout of(WorkspaceSpec spec) {
        Objects.requireNonNull(spec, "spec");
        if (spec.worldSize() < 1 || spec.worldSize() > MAX_WORLD) {
            throw refused("world size is out of range: worldSize=" + spec.worldSize() + " allowed=1.." + MAX_WORLD);
        }
        requireStage("oneShotBytes", spec.oneShotBytes());
        requireStage("twoShotBytes", spec.twoShotBytes());
        try {
            return new WorkspaceLayout(spec);
        } catch (ArithmeticException e) {
            throw refused("workspace does not fit into 63 bits: " + spec);
        }
    }

    public WorkspaceSpec spec() {
        return spec;
    }

    /** Bytes of the signal pad, from the workspace's start up to its guard. */
    public long padBytes() {
        return padGuard;
    }

    /** Bytes of the whole workspace, before it is rounded up to an allocation granularity. */
    public long totalBytes() {
        return endGuard + GUARD_BYTES;
    }

    /** Aborted-epoch words, {@code int[2 * world]}: first one per rank's kernels, then one per rank's control threads. */
    public long abortSlotsOffset() {
        return abortSlots;
    }

    /** The word that kernels of {@code rank} write. */
    public long kernelAbortSlot(int rank) {
        return abortSlots + (long) Integer.BYTES * requireRank(rank);
    }

    /** The word that control threads of {@code rank} write. */
    public long controlAbortSlot(int rank) {
        return abortSlots + (long) Integer.BYTES * (spec.worldSize() + requireRank(rank));
    }

    /** Last sequence that each rank has started, {@code long[world]}, each written by that rank. */
    public long channelsOffset() {
        return channels;
    }

    public long channel(int rank) {
        return channels + (long) Long.BYTES * requireRank(rank);
    }

    /** Call headers, {@code [3 stages][world]} of 16 bytes, each written by that source rank. */
    public long headersOffset() {
        return headers;
    }

    public long header(int stage, int source) {
        return headers
                + (long) HEADER_BYTES * ((long) requireStageIndex(stage) * spec.worldSize() + requireRank(source));
    }

    /** Verify lines, {@code [world]} of 128 bytes, each written by that rank. */
    public long verifyOffset() {
        return verify;
    }

    public long verifyLine(int writer) {
        return verify + (long) VERIFY_BYTES * requireRank(writer);
    }

    public long padGuardOffset() {
        return padGuard;
    }

    public long endGuardOffset() {
        return endGuard;
    }

    /** Capacity of a two-shot slot: the largest slice of a launch that {@link WorkspaceSpec#twoShotBytes()} allows. */
    public long sliceBytes() {
        return sliceBytes;
    }

    /** Capacity of one source's slot in a region. */
    public long slotBytes(StageRegion region) {
        return region == StageRegion.ONE_SHOT ? spec.oneShotBytes() : sliceBytes;
    }

    public long regionOffset(StageRegion region) {
        return regions[region.ordinal()];
    }

    /** Bytes of a region: all stages, all sources. */
    public long regionBytes(StageRegion region) {
        return (long) STAGES * spec.worldSize() * slotBytes(region);
    }

    /** Where one source's slot of a stage starts. */
    public long slot(StageRegion region, int stage, int source) {
        long index = (long) requireStageIndex(stage) * spec.worldSize() + requireRank(source);
        return regionOffset(region) + index * slotBytes(region);
    }

    /** Start of all stages; they end at {@link #endGuardOffset()}. */
    public long stagesOffset() {
        return regions[0];
    }

    private int requireRank(int rank) {
        return Objects.checkIndex(rank, spec.worldSize());
    }

    private static int requireStageIndex(int stage) {
        return Objects.checkIndex(stage, STAGES);
    }

    /** A launch of B bytes is V = B ÷ vector vectors; the largest slice is ⌈V ÷ world⌉ of them, for either vector size. */
    private static long sliceBytes(int world, long twoShotBytes) {
        return align(Math.max(
                sliceBytes(world, twoShotBytes, WIDEST_VECTOR), sliceBytes(world, twoShotBytes, NARROWEST_VECTOR)));
    }

    private static long sliceBytes(int world, long bytes, int vector) {
        return Math.multiplyExact(
                Math.floorDiv(Math.addExact(bytes / vector, world - 1L), (long) world), (long) vector);
    }

    private static long align(long offset) {
        return Math.addExact(offset, ALIGNMENT - 1L) & -ALIGNMENT;
    }

    private static void requireStage(String name, long bytes) {
        if (bytes < ALIGNMENT || bytes % ALIGNMENT != 0) {
            throw refused("stage size must be a positive multiple of " + ALIGNMENT + ": " + name + "=" + bytes);
        }
    }

    private static TuttiException refused(String message) {
        return new TuttiException(
                ErrorInfo.of(ErrorCode.CONFIGURATION, message, "Choose other workspace sizes or another world size."));
    }
}
