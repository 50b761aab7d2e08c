package io.tutti.gpu.rank;

import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;

/**
 * How much a timed probe moves, and how long that may take. A probe is to find links that crawl, not to measure links, so it
 * is short, tries again whom it misses, and allows for what a copy costs beside its bytes.
 *
 * @param peerBytes most bytes to one peer
 * @param allBytes most bytes to all peers together
 * @param tries copies to one peer, of which the best counts
 * @param allowanceNanos what a copy may take beside moving its bytes
 */
record ProbeTuning(long peerBytes, long allBytes, int tries, long allowanceNanos) {

    /** Streams are threads, which a busy machine may stop for a while between two looks at the clock. */
    private static final ProbeTuning HOST = new ProbeTuning(256L << 10, 1L << 20, 5, 5_000_000);

    /** To start a copy engine and to record two events takes some ten microseconds. */
    private static final ProbeTuning CUDA = new ProbeTuning(8L << 20, 64L << 20, 5, 100_000);

    private static final double NANOS = 1e9;

    static ProbeTuning forDriver(String driver) {
        return driver.equals("host") ? HOST : CUDA;
    }

    /** Bytes to each peer: what fits the slot that the peer keeps for this rank. */
    long bytes(WorkspaceLayout layout) {
        int peers = layout.spec().worldSize() - 1;
        long bytes = Math.min(peerBytes, allBytes / Math.max(1, peers));
        return Math.min(bytes, layout.slotBytes(StageRegion.ONE_SHOT)) & -(long) WorkspaceLayout.ALIGNMENT;
    }

    /**
     * How long a copy may take.
     *
     * @param promised bytes a second, not 0
     * @param factor how many times slower than promised is accepted
     */
    long allowedNanos(long bytes, long promised, int factor) {
        return (long) (factor * NANOS * bytes / promised) + allowanceNanos;
    }
}
