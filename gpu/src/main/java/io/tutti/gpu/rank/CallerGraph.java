package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls that a caller captures into a graph of its own, among its own work. The graph stays the caller's, also to launch;
 * {@link #launch} gives each launch its place in the order of the rank's calls. Its kernels carry the epoch in which they
 * were captured, and leave untouched memory alone in every other. Methods may be called by any thread; the launch lock
 * guards the fields.
 */
public final class CallerGraph implements AutoCloseable {

    private final CallSubmitter submitter;
    private final List<PlannedCall> calls = new ArrayList<>();
    private @Nullable EpochId epoch;
    private @Nullable CuStream captured;
    private int launches;
    private volatile boolean closed;

    CallerGraph(CallSubmitter submitter) {
        this.submitter = submitter;
    }

    /**
     * Adds a call to the capture that is under way on a stream, on the calling thread; nothing runs.
     *
     * @throws TuttiException with code USAGE for a request that cannot work, for a stream that is not captured or another
     *     than before, while another graph of this rank is captured, and where the epoch's path cannot be captured; STALE
     *     or ABORTED without an epoch, and STALE when it is not that of the calls before
     */
    public void add(FusedAllReduce request, CuStream stream) {
        submitter.addTo(this, request, stream);
    }

    /** The capture has ended; also what {@link #launch} takes for granted. Another graph may be captured now. */
    public void captured() {
        submitter.captured(this);
    }

    /** Whether its epoch has ended, so that it has to be captured again, as another graph. */
    public boolean isStale() {
        return submitter.isStale(this);
    }

    /**
     * Launches the graph once, on the calling thread, before it returns.
     *
     * @param stream where the graph is launched
     * @param graphLaunch launches it there exactly once, and waits for nothing
     * @return completes when the last of its calls has, as {@link RankDevice#submit} does
     * @throws TuttiException with code STALE when its epoch has ended, USAGE for a graph without calls, a stream that is
     *     being captured, or from within another graph's launch; what {@code graphLaunch} throws fails the calls instead
     */
    public CompletionStage<Completion> launch(CuStream stream, Runnable graphLaunch) {
        return submitter.launch(this, stream, graphLaunch);
    }

    /** Ends its capture if it is under way, and allows no launch any more; idempotent. Launches in flight complete. */
    @Override
    public void close() {
        submitter.captured(this);
        closed = true;
    }

    // ---- for the submitter, with the launch lock held ---------------------------------------------------------------

    /** The epoch of the calls so far; null before the first. */
    @Nullable
    EpochId epoch() {
        return epoch;
    }

    List<PlannedCall> calls() {
        return List.copyOf(calls);
    }

    int launches() {
        return launches;
    }

    void requireOpen() {
        if (closed) {
            throw new TuttiException(
                    ErrorInfo.of(ErrorCode.CLOSED, "the graph was closed", "Capture the calls as another graph."));
        }
    }

    void requireStream(CuStream stream) {
        if (captured != null && !captured.equals(stream)) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "the calls of a graph are on two streams: before=" + captured.value() + " now=" + stream.value(),
                    "Capture all calls of a graph on one stream; other work may be on others."));
        }
    }

    void added(EpochId present, CuStream stream, PlannedCall call) {
        epoch = present;
        captured = stream;
        calls.add(call);
        launches += call.launches().launches();
    }
}
