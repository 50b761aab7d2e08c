package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.numerics.LamportSentinel;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.ByteBuffer;

/**
 * The 16 bytes that every rank sends every peer with every call: epoch, sequence (31 bits), fingerprint. They are Lamport
 * data like the tensors, in the same three stages. The release store of a header also publishes the sender's clears of
 * its call before, which is what makes the stage of the call after this one safe to write.
 */
final class CallHeaders {

    /** Both words of a half are the sentinel. */
    private static final long ABSENT = (long) LamportSentinel.WORD << 32 | (LamportSentinel.WORD & 0xffffffffL);

    private static final int HALF = Long.BYTES;

    private CallHeaders() {}

    /** Sends this call's header, and the sequence on the sender's channel, to every peer. */
    static void push(KernelCall call, long fingerprint) {
        int offset = offset(call, call.stage(), call.rank());
        int channel = (int) call.controlLong(ControlBlock.CHANNELS) + call.rank() * Long.BYTES;
        long first = first(call);
        for (int peer = 0; peer < call.world(); peer++) {
            ByteBuffer pad = call.pad(peer);
            int at = call.padOffset(peer);
            MemoryWindow.LONG.setRelease(pad, at + channel, call.sequence());
            if (peer != call.rank()) {
                MemoryWindow.LONG.setRelease(pad, at + offset, first);
                MemoryWindow.LONG.setRelease(pad, at + offset + HALF, fingerprint);
            }
        }
    }

    /**
     * Waits for every peer's header and compares it with this call.
     *
     * @return false when the kernel has left
     */
    static boolean match(KernelCall call, long fingerprint) {
        long first = first(call);
        for (int step = 1; step < call.world(); step++) {
            int source = (call.rank() + step) % call.world();
            if (!match(call, source, first, fingerprint)) {
                return false;
            }
        }
        return true;
    }

    private static boolean match(KernelCall call, int source, long first, long fingerprint) {
        ByteBuffer pad = call.pad(call.rank());
        int at = call.padOffset(call.rank()) + offset(call, call.stage(), source);
        for (int round = 0; ; round++) {
            long theirFirst = (long) MemoryWindow.LONG.getAcquire(pad, at);
            long theirPrint = (long) MemoryWindow.LONG.getAcquire(pad, at + HALF);
            if (arrived(theirFirst) && arrived(theirPrint)) {
                return (theirFirst == first && theirPrint == fingerprint) || call.fail(StatusCode.MISMATCH, source);
            }
            if (!call.pause(round, source)) {
                return false;
            }
        }
    }

    /** Clears the headers of the call before. */
    static void clearRetired(KernelCall call) {
        clear(call, call.retiredStage());
    }

    /** Clears what peers sent; in the place of the own header is {@link CallProgress}, which they may still read. */
    static void clear(KernelCall call, int stage) {
        ByteBuffer pad = call.pad(call.rank());
        for (int source = 0; source < call.world(); source++) {
            if (source != call.rank()) {
                int at = call.padOffset(call.rank()) + offset(call, stage, source);
                MemoryWindow.LONG.setOpaque(pad, at, ABSENT);
                MemoryWindow.LONG.setOpaque(pad, at + HALF, ABSENT);
            }
        }
    }

    private static long first(KernelCall call) {
        return ((call.sequence() & Integer.MAX_VALUE) << 32) | call.epoch();
    }

    private static boolean arrived(long half) {
        return (int) half != LamportSentinel.WORD && (int) (half >>> 32) != LamportSentinel.WORD;
    }

    /** Where in any rank's workspace the header from {@code source} lies. */
    static int offset(KernelCall call, int stage, int source) {
        int index = stage * call.world() + source;
        return (int) call.controlLong(ControlBlock.HEADERS) + index * WorkspaceLayout.HEADER_BYTES;
    }
}
