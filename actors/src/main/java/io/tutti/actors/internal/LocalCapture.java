package io.tutti.actors.internal;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.rank.CapturedSequence;
import io.tutti.gpu.rank.RankDevice;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The graph of one rank: captured when it is first replayed in an epoch, since it holds that epoch's addresses. */
final class LocalCapture implements CapturedCalls {

    private final LocalRank rank;
    private final RankDevice device;
    private final List<FusedAllReduce> calls;
    private @Nullable CapturedSequence graph;
    private boolean closed;

    LocalCapture(LocalRank rank, RankDevice device, List<FusedAllReduce> calls) {
        this.rank = rank;
        this.device = device;
        this.calls = List.copyOf(calls);
        if (calls.isEmpty()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE, "a graph of no calls was asked for: rank=" + rank.rank(), "Name one or more."));
        }
    }

    @Override
    public List<FusedAllReduce> calls() {
        return calls;
    }

    @Override
    public CompletionStage<Completion> replay() {
        return rank.inOrder(this::launch);
    }

    private synchronized CompletionStage<Completion> launch() {
        if (closed) {
            return CompletableFuture.failedStage(new TuttiException(new ErrorInfo(
                    ErrorCode.CLOSED, rank.rank(), null, null, "the graph was closed", "Capture the calls again.")));
        }
        try {
            return present().replay();
        } catch (TuttiException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private CapturedSequence present() {
        CapturedSequence last = graph;
        if (last != null && last.epoch().equals(rank.current().id())) {
            return last;
        }
        if (last != null) {
            graph = null;
            last.close();
        }
        CapturedSequence captured = device.capture(calls);
        graph = captured;
        return captured;
    }

    @Override
    public void close() {
        rank.forget(this);
        synchronized (this) {
            closed = true;
            CapturedSequence last = graph;
            if (last != null) {
                graph = null;
                last.close();
            }
        }
    }
}
