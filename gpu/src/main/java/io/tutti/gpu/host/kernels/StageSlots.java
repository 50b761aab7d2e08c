package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.numerics.LamportSentinel;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.IntBuffer;
import java.util.Arrays;

/** Where the slots of a workspace's stages are, and their state before the first call. */
final class StageSlots {

    private static final StageRegion[] REGIONS = StageRegion.values();
    private static final long MAX_SPAN = 1L << 30;
    private static final int[] SENTINELS = sentinels();

    private StageSlots() {}

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

    private static void fill(KernelMemory memory, long address, long bytes) {
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

    private static int[] sentinels() {
        int[] words = new int[4096];
        Arrays.fill(words, LamportSentinel.WORD);
        return words;
    }
}
