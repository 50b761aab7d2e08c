package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;

/**
 * The words that one rank stores to another to prove that its stores arrive, and the two places they go to: the writer's
 * verify line in the pad, and the end of the writer's last slot, so that both ends of the mapping are proved.
 */
final class PatternLine {

    static final int WORDS = WorkspaceLayout.VERIFY_BYTES / Integer.BYTES;
    static final int PLACES = 2;

    private PatternLine() {}

    /** A word that depends on everything that could be mixed up, and is never 0, which the fresh memory holds. */
    static int word(long epoch, int writer, int reader, int place, int index) {
        long facts = (epoch << 32) | ((long) writer << 20) | ((long) reader << 10) | ((long) place << 8) | index;
        long mixed = facts * 0x9E3779B97F4A7C15L + KernelAbi.VERSION;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        return ((int) (mixed >>> 31)) | 1;
    }

    /** Where {@code writer}'s words lie in {@code owner}'s workspace. */
    static Span at(KernelCall call, int owner, int writer, int place) {
        long address;
        if (place == 0) {
            address = call.workspace(owner)
                    + call.controlLong(ControlBlock.VERIFY)
                    + (long) writer * WorkspaceLayout.VERIFY_BYTES;
        } else {
            StageRegion last = StageRegion.GATHER_SUM;
            address = StageSlots.address(call, last, owner, WorkspaceLayout.STAGES - 1, writer)
                    + call.controlLong(ControlBlock.regionSlotBytes(last))
                    - WorkspaceLayout.VERIFY_BYTES;
        }
        return call.memory().span(address, WorkspaceLayout.VERIFY_BYTES);
    }
}
