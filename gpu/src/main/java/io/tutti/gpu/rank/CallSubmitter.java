package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns requests into launches of the committed epoch's path, on the caller's thread, under the launch lock. */
final class CallSubmitter {

    private final RankContext rank;
    private final LaunchLane lane;
    private final StreamOrder order;
    private final SubmissionGate gate;
    private @Nullable CallerGraph capturing;
    private boolean launchingGraph;

    CallSubmitter(RankContext rank, LaunchLane lane, StreamOrder order, SubmissionGate gate) {
        this.rank = rank;
        this.lane = lane;
        this.order = order;
        this.gate = gate;
    }

    CompletionStage<Completion> submit(FusedAllReduce request) {
        return asynchronous(() -> {
            SubmissionGate.Open open = gate.require();
            PlannedCall call = open.path().plan(request);
            PendingCalls pending = pending(open, List.of(call), call.launches().launches());
            order.home();
            open.path().launch(pending);
            return pending.future();
        });
    }

    CompletionStage<Completion> submit(FusedAllReduce request, CuStream stream) {
        return locked(() -> {
            SubmissionGate.Open open = gate.require();
            requireCapturing(stream, false);
            PlannedCall call = open.path().plan(request);
            PendingCalls pending = pending(open, List.of(call), call.launches().launches());
            KernelCalls kernels = open.path().kernels();
            order.onCallers(stream, () -> kernels.launch(pending, stream));
            return pending.future();
        });
    }

    CapturedSequence capture(List<FusedAllReduce> requests) {
        return locked(() -> {
            SubmissionGate.Open open = gate.require();
            List<PlannedCall> calls = requests.stream().map(open.path()::plan).toList();
            long launches =
                    calls.stream().mapToLong(call -> call.launches().launches()).sum();
            requireLength(launches);
            order.home();
            return new CapturedSequence(this, open.epoch(), open.path().capture(calls), calls, (int) launches);
        });
    }

    CompletionStage<Completion> replay(CapturedSequence sequence) {
        return asynchronous(() -> {
            SubmissionGate.Open open = gate.require();
            requirePresent(sequence.epoch(), open.epoch());
            PendingCalls pending = pending(open, sequence.calls(), sequence.launches());
            order.home();
            sequence.prepared().launch(pending);
            return pending.future();
        });
    }

    // ---- callers' graphs ----------------------------------------------------------------------------------------

    void addTo(CallerGraph graph, FusedAllReduce request, CuStream stream) {
        locked(() -> {
            SubmissionGate.Open open = gate.require();
            requireUsable(graph, open.epoch());
            graph.requireStream(stream);
            requireCapturing(stream, true);
            if (capturing != null && capturing != graph) {
                throw usage(
                        "two graphs of one rank are captured at once: rank=" + rank.rank(),
                        "End the first capture and say so with captured(), then capture the second.");
            }
            PlannedCall call = open.path().plan(request);
            requireLength(graph.launches() + (long) call.launches().launches());
            open.path().kernels().capture(call, stream);
            capturing = graph;
            graph.added(open.epoch(), stream, call);
            return true;
        });
    }

    void captured(CallerGraph graph) {
        lane.lock().lock();
        try {
            if (capturing == graph) {
                capturing = null;
            }
        } finally {
            lane.lock().unlock();
        }
    }

    boolean isStale(CallerGraph graph) {
        lane.lock().lock();
        try {
            EpochId captured = graph.epoch();
            return captured != null && !gate.isOpenFor(captured);
        } finally {
            lane.lock().unlock();
        }
    }

    CompletionStage<Completion> launch(CallerGraph graph, CuStream stream, Runnable graphLaunch) {
        return locked(() -> {
            SubmissionGate.Open open = gate.require();
            requireUsable(graph, open.epoch());
            requireLength(graph.launches());
            requireCapturing(stream, false);
            captured(graph);
            PendingCalls pending = pending(open, graph.calls(), graph.launches());
            launchingGraph = true;
            try {
                KernelCalls kernels = open.path().kernels();
                order.onCallers(stream, () -> kernels.launchGraph(pending, () -> run(graphLaunch)));
            } finally {
                launchingGraph = false;
            }
            return pending.future();
        });
    }

    private void run(Runnable graphLaunch) {
        try {
            graphLaunch.run();
        } catch (TuttiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.USAGE,
                            "the caller's launch of its graph failed: " + e,
                            "See the cause; the peers' calls fail too, since they wait for this rank."),
                    e);
        }
    }

    private static void requireUsable(CallerGraph graph, EpochId present) {
        graph.requireOpen();
        EpochId captured = graph.epoch();
        if (captured != null) {
            requirePresent(captured, present);
        }
    }

    private void requireCapturing(CuStream stream, boolean wanted) {
        if (rank.driver().streamIsCapturing(stream) != wanted) {
            throw wanted
                    ? usage(
                            "the stream is not being captured: stream=" + stream.value(),
                            "Begin the capture first, or call without a graph.")
                    : usage(
                            "the stream is being captured: stream=" + stream.value(),
                            "Add calls to a capture by a graph of the rank.");
        }
    }

    private static void requireLength(long launches) {
        if (launches < 1 || launches > StatusRing.RECORDS) {
            throw usage(
                    "a captured sequence has the wrong length: launches=" + launches + " allowed=1.."
                            + StatusRing.RECORDS,
                    "Cut it into several.");
        }
    }

    private static TuttiException usage(String message, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, advice));
    }

    private static void requirePresent(EpochId captured, EpochId present) {
        if (!present.equals(captured)) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.STALE,
                    "the graph was captured in another epoch: captured=" + captured + " present=" + present,
                    "Capture it again."));
        }
    }

    private static PendingCalls pending(SubmissionGate.Open open, List<PlannedCall> calls, int launches) {
        return new PendingCalls(open.calls(), open.path().plan().path(), calls, launches);
    }

    void destroy(Replay prepared) {
        locked(() -> {
            prepared.destroy();
            return true;
        });
    }

    private CompletionStage<Completion> asynchronous(Supplier<CompletableFuture<Completion>> step) {
        try {
            return locked(step);
        } catch (TuttiException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> T locked(Supplier<T> step) {
        lane.lock().lock();
        try {
            if (launchingGraph) {
                // Only the launching thread comes here: its own code makes a call amid the numbers of its graph's
                // kernels.
                throw usage(
                        "a call is made from within the launch of a graph: rank=" + rank.rank(),
                        "Make calls and launch graphs one after another; only the launch itself belongs into its code.");
            }
            return rank.visit(step);
        } finally {
            lane.lock().unlock();
        }
    }
}
