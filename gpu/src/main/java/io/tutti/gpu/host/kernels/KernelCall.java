package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.abi.LaunchParams;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.abi.StatusRecord;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a kernel: the check at entry, what every wait looks at, and the status record at the end. Reused from run to
 * run, confined to its stream's thread.
 *
 * <p>A kernel calls {@link #enter}, and only when that is true goes on. Every step that can fail returns a boolean; after
 * the first false the kernel returns, since the status is already written. Otherwise it ends with {@link #succeed}.
 */
final class KernelCall {

    /** Rounds of a wait between two looks at the abort words and the clock. */
    private static final int LOOK_EVERY = 8;

    private final @Nullable MemoryWindow[] padWindows = new MemoryWindow[WorkspaceLayout.MAX_WORLD];
    private final int[] padOffsets = new int[WorkspaceLayout.MAX_WORLD];
    private @Nullable KernelMemory memory;
    private @Nullable ByteBuffer control;
    private int controlAt;
    private @Nullable ByteBuffer hostAbort;
    private int hostAbortAt;
    private long epoch;
    private long sequence;
    private int rank;
    private int world;
    private int abortSlots;
    private long start;
    private long timeoutNanos;

    /**
     * Checks the interface, the captured term and epoch, and the abort words.
     *
     * @return false when the kernel has already left
     */
    boolean enter(KernelMemory kernelMemory, ByteBuffer params) {
        start = System.nanoTime();
        memory = kernelMemory;
        sequence = 0;
        Span block = kernelMemory.span(params.getLong(LaunchParams.CONTROL), ControlBlock.SIZE);
        control = block.window().bytes();
        controlAt = block.offset();
        epoch = params.getLong(LaunchParams.EPOCH);
        timeoutNanos = params.getLong(LaunchParams.TIMEOUT_NANOS);
        if (params.getInt(LaunchParams.ABI_VERSION) != KernelAbi.VERSION
                || controlInt(ControlBlock.ABI_VERSION) != KernelAbi.VERSION
                || controlInt(ControlBlock.MAGIC) != KernelAbi.CONTROL_MAGIC) {
            return leave(StatusCode.BAD_ABI, -1);
        }
        if (epoch != controlLong(ControlBlock.EPOCH)
                || params.getLong(LaunchParams.TERM) != controlLong(ControlBlock.TERM)) {
            return leave(StatusCode.STALE, -1);
        }
        rank = controlInt(ControlBlock.RANK);
        world = controlInt(ControlBlock.WORLD);
        abortSlots = (int) controlLong(ControlBlock.ABORT_SLOTS);
        Span word = kernelMemory.span(controlLong(ControlBlock.HOST_ABORT), Integer.BYTES);
        hostAbort = word.window().bytes();
        hostAbortAt = word.offset();
        long padBytes = controlLong(ControlBlock.VERIFY) + (long) world * WorkspaceLayout.VERIFY_BYTES;
        for (int peer = 0; peer < world; peer++) {
            Span pad = kernelMemory.span(workspace(peer), padBytes);
            padWindows[peer] = pad.window();
            padOffsets[peer] = pad.offset();
        }
        return !leavesForAbort();
    }

    /** Takes the next sequence number; fused calls do so right after {@link #enter}. */
    void beginSequence() {
        sequence = controlLong(ControlBlock.SEQUENCE) + 1;
        setControlLong(ControlBlock.SEQUENCE, sequence);
    }

    /** Leaves with success. */
    void succeed() {
        leave(StatusCode.OK, -1);
    }

    /**
     * Leaves with a failure that the other ranks must hear of: the abort word goes into every pad first.
     *
     * @return false
     */
    boolean fail(StatusCode code, int namedRank) {
        poisonAllPads();
        return leave(code, namedRank);
    }

    /**
     * One round of a wait.
     *
     * @param round rounds that this wait has taken already, from 0
     * @param awaitedRank whom a timeout names
     * @return false when the kernel has left: aborted, or out of time
     */
    boolean pause(int round, int awaitedRank) {
        if (round % LOOK_EVERY == LOOK_EVERY - 1) {
            if (leavesForAbort()) {
                return false;
            }
            if (System.nanoTime() - start > timeoutNanos) {
                return fail(StatusCode.TIMEOUT, awaitedRank);
            }
        }
        memory().relax(round);
        return true;
    }

    /** Leaves when this epoch is aborted; a word that only this rank's host has set is passed on to all pads. */
    boolean leavesForAbort() {
        ByteBuffer pad = pad(rank);
        int base = padOffsets[rank] + abortSlots;
        for (int slot = 0; slot < 2 * world; slot++) {
            int aborted = (int) MemoryWindow.INT.getAcquire(pad, base + slot * Integer.BYTES);
            if (aborted >= epoch) {
                leave(StatusCode.ABORTED, slot % world);
                return true;
            }
        }
        int aborted = (int) MemoryWindow.INT.getAcquire(hostAbort, hostAbortAt);
        if (aborted >= epoch) {
            poisonAllPads();
            leave(StatusCode.ABORTED, rank);
            return true;
        }
        return false;
    }

    private void poisonAllPads() {
        int slot = abortSlots + rank * Integer.BYTES;
        for (int peer = 0; peer < world; peer++) {
            MemoryWindow.INT.setRelease(pad(peer), padOffsets[peer] + slot, (int) epoch);
        }
    }

    private boolean leave(StatusCode code, int namedRank) {
        long number = controlLong(ControlBlock.RETIRED);
        setControlLong(ControlBlock.RETIRED, number + 1);
        control().putInt(controlAt + ControlBlock.LAST_RANK, namedRank);
        MemoryWindow.INT.setRelease(control(), controlAt + ControlBlock.LAST_STATUS, code.code());
        long ring = controlLong(ControlBlock.STATUS_RING);
        long slot = number & controlInt(ControlBlock.RING_MASK);
        Span span = memory().span(ring + slot * StatusRecord.SIZE, StatusRecord.SIZE);
        ByteBuffer record = span.window().bytes();
        int at = span.offset();
        record.putLong(at + StatusRecord.EPOCH, epoch);
        record.putLong(at + StatusRecord.SEQUENCE, sequence);
        record.putInt(at + StatusRecord.CODE, code.code());
        record.putInt(at + StatusRecord.NAMED_RANK, namedRank);
        long published = StatusRecord.publish(number, System.nanoTime() - start);
        MemoryWindow.LONG.setRelease(record, at + StatusRecord.PUBLISHED, published);
        return false;
    }

    KernelMemory memory() {
        return java.util.Objects.requireNonNull(memory);
    }

    private ByteBuffer control() {
        return java.util.Objects.requireNonNull(control);
    }

    long controlLong(int offset) {
        return control().getLong(controlAt + offset);
    }

    void setControlLong(int offset, long value) {
        control().putLong(controlAt + offset, value);
    }

    int controlInt(int offset) {
        return control().getInt(controlAt + offset);
    }

    /** Where {@code peer}'s workspace is mapped. */
    long workspace(int peer) {
        return controlLong(ControlBlock.workspace(peer));
    }

    /** A peer's pad; its start is at {@link #padOffset}. */
    ByteBuffer pad(int peer) {
        return java.util.Objects.requireNonNull(padWindows[peer]).bytes();
    }

    int padOffset(int peer) {
        return padOffsets[peer];
    }

    int rank() {
        return rank;
    }

    int world() {
        return world;
    }

    long epoch() {
        return epoch;
    }

    long sequence() {
        return sequence;
    }

    /** The stage that this call uses. */
    int stage() {
        return (int) (sequence % WorkspaceLayout.STAGES);
    }

    /** The stage that the call before used and that the call after the next will use. */
    int retiredStage() {
        return (int) ((sequence + 2) % WorkspaceLayout.STAGES);
    }
}
