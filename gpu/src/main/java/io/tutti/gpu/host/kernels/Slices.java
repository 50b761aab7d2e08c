package io.tutti.gpu.host.kernels;

import io.tutti.gpu.workspace.WorkspaceLayout;

/**
 * How a launch's tensor is cut between the ranks of a two-shot: rank r owns whole vectors of 8 elements, the last ranks may
 * own less or nothing. In 32-bit words.
 */
final class Slices {

    private long words;
    private long sliceWords;
    private int world;

    /** Turns to a call. */
    void cut(FusedCall fused) {
        world = fused.call.world();
        words = fused.tokens * fused.rowWords;
        long vectors = fused.tokens * (fused.hidden / WorkspaceLayout.VECTOR_ELEMENTS);
        int vectorWords = WorkspaceLayout.VECTOR_ELEMENTS * fused.elementBytes / Integer.BYTES;
        sliceWords = (vectors + world - 1) / world * vectorWords;
    }

    /** Bytes of the longest slice. */
    long bytes() {
        return sliceWords * Integer.BYTES;
    }

    int owner(long at) {
        return (int) (at / sliceWords);
    }

    long start(int owner) {
        return Math.min(words, owner * sliceWords);
    }

    long end(int owner) {
        return Math.min(words, (owner + 1) * sliceWords);
    }

    /**
     * The count that a rank has published when its slice for the rank {@code step} after it is there up to word {@code to}:
     * each rank begins with the slice of the rank after it, so that not all wait for the same one.
     */
    long published(int step, long to) {
        int rank = owner(to - 1);
        return (step - 1) * sliceWords + (to - start(rank));
    }

    /** What {@code source} has published when this rank's slice is there up to word {@code to}. */
    long published(KernelCall call, int source, long to) {
        return published(Math.floorMod(call.rank() - source, world), to);
    }
}
