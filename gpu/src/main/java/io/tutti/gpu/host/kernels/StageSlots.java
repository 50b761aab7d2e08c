package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.numerics.Fp32Rows;
import io.tutti.gpu.numerics.LamportSentinel;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.IntBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One region's stage for one call: this rank's slot in every peer's workspace, to push to, and every peer's slot in this
 * rank's workspace, to await. Offsets are in 32-bit words from a slot's start.
 */
final class StageSlots {

    private final StageRegion region;
    private final @Nullable MemoryWindow[] out = new MemoryWindow[WorkspaceLayout.MAX_WORLD];
    private final int[] outWords = new int[WorkspaceLayout.MAX_WORLD];
    private final @Nullable MemoryWindow[] in = new MemoryWindow[WorkspaceLayout.MAX_WORLD];
    private final int[] inWords = new int[WorkspaceLayout.MAX_WORLD];

    StageSlots(StageRegion region) {
        this.region = region;
    }

    /**
     * Turns to this call's stage and notes how much of its slots must be cleared by the call after.
     *
     * @param bytes what the call uses of each slot
     */
    void open(KernelCall call, long bytes) {
        call.setControlLong(ControlBlock.clearBytes(region, call.stage()), bytes);
        if (bytes == 0) {
            return;
        }
        KernelMemory memory = call.memory();
        for (int peer = 0; peer < call.world(); peer++) {
            if (peer != call.rank()) {
                Span mine = memory.span(address(call, region, peer, call.stage(), call.rank()), bytes);
                out[peer] = mine.window();
                outWords[peer] = mine.offset() / Integer.BYTES;
                Span theirs = memory.span(address(call, region, call.rank(), call.stage(), peer), bytes);
                in[peer] = theirs.window();
                inWords[peer] = theirs.offset() / Integer.BYTES;
            }
        }
    }

    /** Stores words, none of which may be the sentinel, into this rank's slot at a peer. */
    void push(int peer, int offset, int[] words, int from, int count) {
        Objects.requireNonNull(out[peer]).ints().put(outWords[peer] + offset, words, from, count);
    }

    /** {@link #push} of fp32 values without −0.0. */
    void push(int peer, int offset, float[] values, int from, int count) {
        Objects.requireNonNull(out[peer]).floats().put(outWords[peer] + offset, values, from, count);
    }

    /** {@link #push} to every peer, beginning with the next rank so that not all write to the same one at once. */
    void pushToAll(KernelCall call, int offset, int[] words, int from, int count) {
        for (int step = 1; step < call.world(); step++) {
            push((call.rank() + step) % call.world(), offset, words, from, count);
        }
    }

    /** {@link #pushToAll} of fp32 values without −0.0. */
    void pushToAll(KernelCall call, int offset, float[] values, int from, int count) {
        for (int step = 1; step < call.world(); step++) {
            push((call.rank() + step) % call.world(), offset, values, from, count);
        }
    }

    /**
     * Waits until every word has arrived and copies them to the start of an array.
     *
     * @param scratch at least {@code count} long
     * @return false when the kernel has left
     */
    boolean await(KernelCall call, int source, int offset, int[] words, int count, int[] scratch) {
        MemoryWindow window = Objects.requireNonNull(in[source]);
        int at = inWords[source] + offset;
        for (int round = 0; ; round++) {
            if (lastHasArrived(window, at + count - 1)) {
                window.ints().get(at, words, 0, count);
                if (!LamportSentinel.containsSentinel(words, count, scratch)) {
                    return true;
                }
            }
            if (!call.pause(round, source)) {
                return false;
            }
        }
    }

    /**
     * {@link #await(KernelCall, int, int, int[], int, int[])} for fp32.
     *
     * @param scratch at least {@code count} long
     */
    boolean await(KernelCall call, int source, int offset, float[] values, int count, float[] scratch) {
        MemoryWindow window = Objects.requireNonNull(in[source]);
        int at = inWords[source] + offset;
        for (int round = 0; ; round++) {
            if (lastHasArrived(window, at + count - 1)) {
                window.floats().get(at, values, 0, count);
                if (!Fp32Rows.containsSentinel(values, count, scratch)) {
                    return true;
                }
            }
            if (!call.pause(round, source)) {
                return false;
            }
        }
    }

    /** Looking at one word first keeps a waiting reader from pulling every line away from the writer. */
    private static boolean lastHasArrived(MemoryWindow window, int word) {
        return (int) MemoryWindow.INT.getOpaque(window.bytes(), word * Integer.BYTES) != LamportSentinel.WORD;
    }

    /** Clears the whole capacity of every region. */
    static void clearAll(KernelCall call) {
        for (StageRegion region : REGIONS) {
            long start = address(call, region, call.rank(), 0, 0);
            long bytes = call.controlLong(ControlBlock.regionSlotBytes(region)) * WorkspaceLayout.STAGES * call.world();
            for (long at = 0; at < bytes; at += MAX_SPAN) {
                fill(call.memory(), start + at, Math.min(MAX_SPAN, bytes - at));
            }
        }
    }

    static long address(KernelCall call, StageRegion region, int owner, int stage, int source) {
        long index = (long) stage * call.world() + source;
        return call.workspace(owner)
                + call.controlLong(ControlBlock.regionOffset(region))
                + index * call.controlLong(ControlBlock.regionSlotBytes(region));
    }

    static void fill(KernelMemory memory, long address, long bytes) {
        Span span = memory.span(address, bytes);
        IntBuffer ints = span.window().ints();
        int at = span.offset() / Integer.BYTES;
        int end = at + (int) (bytes / Integer.BYTES);
        while (at < end) {
            int count = Math.min(SENTINELS.length, end - at);
            ints.put(at, SENTINELS, 0, count);
            at += count;
        }
    }

    static final StageRegion[] REGIONS = StageRegion.values();
    private static final long MAX_SPAN = 1L << 30;
    private static final int[] SENTINELS = sentinels();

    private static int[] sentinels() {
        int[] words = new int[4096];
        java.util.Arrays.fill(words, LamportSentinel.WORD);
        return words;
    }
}
