package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.plan.EpochPlan;
import java.util.List;

/**
 * One epoch on one rank, as its path carries it: what is set up in the stages, how calls are launched, and how they are
 * aborted and drained. One implementation a path, listed in {@link PathEpochs}; {@link RankDevice} does what all paths
 * have in common.
 *
 * <p>The stages and the end are called on the rank's thread in the order of {@link RankDevice}; calls by any thread with
 * the launch lock held; {@link #abort} and {@link #snapshot} by any thread. The rank's context is current, and a failure
 * gets the rank's number, in all of them.
 */
interface PathEpoch {

    EpochId epoch();

    EpochPlan plan();

    // ---- stages -----------------------------------------------------------------------------------------------

    /** Initialises what was allocated, and synchronises. */
    void fill(long timeoutNanos);

    /** What the peers need to reach this rank; none where the path carries no handles. */
    List<MemoryOffer> export();

    /**
     * Takes what all ranks exported, and lets this epoch's kernels in.
     *
     * @param offers of all ranks, this one's own too
     */
    void importPeers(List<MemoryOffer> offers);

    /** Sends every rank this rank's pattern, the way that calls will send their data; every rank has imported. */
    void write(long timeoutNanos);

    /** Waits for every rank's pattern and compares it; the error names the rank. */
    void verify(long timeoutNanos);

    /**
     * Times what moves data to every peer, against what the link promises; nothing where no link carries the path.
     *
     * @param promises bytes a second to each rank; 0 where nothing is promised
     * @param factor how many times slower is accepted
     */
    default void probe(List<Long> promises, int factor, long timeoutNanos) {}

    /** Brings everything to the state before the first call; every rank is quiet. */
    void arm(long timeoutNanos);

    // ---- calls ------------------------------------------------------------------------------------------------

    /**
     * Checks a request and cuts it into launches.
     *
     * @throws io.tutti.gpu.TuttiException with code USAGE
     */
    default PlannedCall plan(FusedAllReduce request) {
        return PlannedCall.of(request, plan(), plan().algorithm());
    }

    /** Hands calls over, in their order, and adds them to their epoch's; does not wait for the device. */
    void launch(PendingCalls calls);

    /**
     * What carries calls on callers' streams and in their graphs.
     *
     * @throws TuttiException with code USAGE where the path's calls are more than kernels
     */
    default KernelCalls kernels() {
        throw new TuttiException(ErrorInfo.of(
                ErrorCode.USAGE,
                "the path's calls cannot run on a caller's stream, since the host takes part in them: path="
                        + plan().path().wireName(),
                "Call without a stream, or see with preflight why no path of kernels alone is there."));
    }

    /** Prepares calls to be launched again and again. */
    Replay capture(List<PlannedCall> calls);

    // ---- the end ----------------------------------------------------------------------------------------------

    /**
     * Makes every launch leave soon, without waiting for it. The host-mapped abort word is already set.
     *
     * @param peersReachable whether peers' memory may still be written to
     */
    void abort(boolean peersReachable);

    /**
     * Waits until nothing but the rank's streams, which are synchronised next, works for this epoch any more.
     *
     * @throws io.tutti.gpu.TuttiException with code TIMEOUT
     */
    void drain(long timeoutNanos);

    /** Who has started which call, as this rank sees it. */
    PadSnapshot snapshot();

    /** Gives everything back: every rank has drained, and kernels of the epoch find the control block shut. */
    void release(KeptMemory kept);

    /** Gives back what nobody else can reach; leaves the rest to whoever may still write it. */
    void abandon(KeptMemory kept);
}
