package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Turns requests into launches of one rank's stream, on the caller's thread, under the launch lock. */
final class CallSubmitter {

    private final RankContext rank;
    private final CuStream stream;
    private final KernelLauncher launcher;
    private final LaunchLane lane;
    private final SubmissionGate gate;
    private final long timeoutNanos;

    CallSubmitter(RankContext rank, CuStream stream, KernelLauncher launcher, LaunchLane lane, SubmissionGate gate) {
        this.rank = rank;
        this.stream = stream;
        this.launcher = launcher;
        this.lane = lane;
        this.gate = gate;
        this.timeoutNanos = rank.settings().operationTimeout().toNanos();
    }

    CompletionStage<Completion> submit(FusedAllReduce request) {
        return staged(() -> {
            SubmissionGate.Open open = gate.require();
            PlannedCall call = PlannedCall.of(request, open.plan());
            int launches = call.launches().launches();
            PendingCalls pending = new PendingCalls(open.calls(), open.plan().path(), List.of(call), launches);
            long first = lane.reserve(launches, pending);
            open.calls().add(pending);
            int launched = 0;
            try {
                for (; launched < launches; launched++) {
                    lane.awaitRecord(first + launched, timeoutNanos);
                    launcher.launch(call, launched, false, open.epoch(), timeoutNanos);
                }
            } catch (TuttiException e) {
                giveUp(pending, open, launched, e);
            }
            return pending.future();
        });
    }

    CapturedSequence capture(List<FusedAllReduce> requests) {
        return locked(() -> {
            SubmissionGate.Open open = gate.require();
            List<PlannedCall> calls = requests.stream()
                    .map(request -> PlannedCall.of(request, open.plan()))
                    .toList();
            long launches =
                    calls.stream().mapToLong(call -> call.launches().launches()).sum();
            if (launches < 1 || launches > StatusRing.RECORDS) {
                throw new TuttiException(ErrorInfo.of(
                        ErrorCode.USAGE,
                        "a captured sequence has the wrong length: launches=" + launches + " allowed=1.."
                                + StatusRing.RECORDS,
                        "Cut it into several."));
            }
            return new CapturedSequence(this, open.epoch(), instantiate(calls, open.epoch()), calls, (int) launches);
        });
    }

    private CuGraphExec instantiate(List<PlannedCall> calls, EpochId epoch) {
        rank.driver().streamBeginCapture(stream);
        CuGraph graph;
        try {
            boolean follows = false;
            for (PlannedCall call : calls) {
                for (int chunk = 0; chunk < call.launches().launches(); chunk++) {
                    launcher.launch(call, chunk, follows, epoch, timeoutNanos);
                    follows = true;
                }
            }
        } finally {
            graph = rank.driver().streamEndCapture(stream);
        }
        try {
            return rank.driver().graphInstantiate(graph);
        } finally {
            rank.driver().graphDestroy(graph);
        }
    }

    CompletionStage<Completion> replay(CapturedSequence sequence) {
        return staged(() -> {
            SubmissionGate.Open open = gate.require();
            if (!open.epoch().equals(sequence.epoch())) {
                throw new TuttiException(ErrorInfo.of(
                        ErrorCode.STALE,
                        "the graph was captured in another epoch: captured=" + sequence.epoch() + " present="
                                + open.epoch(),
                        "Capture it again."));
            }
            PendingCalls pending =
                    new PendingCalls(open.calls(), open.plan().path(), sequence.calls(), sequence.launches());
            long first = lane.reserve(sequence.launches(), pending);
            open.calls().add(pending);
            try {
                lane.awaitRecord(first + sequence.launches() - 1, timeoutNanos);
                rank.driver().graphLaunch(sequence.graph(), stream);
            } catch (TuttiException e) {
                giveUp(pending, open, 0, e);
            }
            return pending.future();
        });
    }

    void destroy(CuGraphExec graph) {
        locked(() -> {
            rank.driver().graphExecDestroy(graph);
            return true;
        });
    }

    /** Only part of the launches reached the stream: the call fails, and the epoch with it, since peers wait for more. */
    private void giveUp(PendingCalls pending, SubmissionGate.Open open, int launched, TuttiException cause) {
        lane.shorten(pending.launches() - launched);
        open.calls().shorten(pending, launched);
        ErrorInfo error = cause.info().onRank(rank.rank());
        pending.fail(error, false);
        open.calls()
                .launchFailed(
                        pending.firstUnfinished().sequence(), StatusCode.DEVICE_ERROR, -1, pending.firstUnfinished());
    }

    private CompletionStage<Completion> staged(Supplier<CompletableFuture<Completion>> step) {
        try {
            return locked(step);
        } catch (TuttiException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> T locked(Supplier<T> step) {
        lane.lock().lock();
        try {
            return rank.call(step);
        } finally {
            lane.lock().unlock();
        }
    }
}
