package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.op.Completion;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Calls prepared once, as a graph where the path has kernels alone, for one epoch. After that epoch it is refused as stale and must be captured again. The
 * calls' tensors must stay valid as long as it is replayed.
 */
public final class CapturedSequence implements AutoCloseable {

    private final CallSubmitter submitter;
    private final EpochId epoch;
    private final Replay prepared;
    private final List<PlannedCall> calls;
    private final int launches;
    private boolean closed;

    CapturedSequence(CallSubmitter submitter, EpochId epoch, Replay prepared, List<PlannedCall> calls, int launches) {
        this.submitter = submitter;
        this.epoch = epoch;
        this.prepared = prepared;
        this.calls = calls;
        this.launches = launches;
    }

    /**
     * Launches all calls again, from any thread. All ranks must replay in the same order.
     *
     * @return completes when the last call has; fails with code STALE when the epoch has ended
     */
    public CompletionStage<Completion> replay() {
        return submitter.replay(this);
    }

    public EpochId epoch() {
        return epoch;
    }

    CallSubmitter submitter() {
        return submitter;
    }

    Replay prepared() {
        return prepared;
    }

    List<PlannedCall> calls() {
        return calls;
    }

    int launches() {
        return launches;
    }

    /** Frees the graph; idempotent. Replays that are in flight complete. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            submitter.destroy(prepared);
        }
    }
}
