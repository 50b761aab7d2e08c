package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Turns requests into launches of the committed epoch's path, on the caller's thread, under the launch lock. */
final class CallSubmitter {

    private final RankContext rank;
    private final LaunchLane lane;
    private final SubmissionGate gate;

    CallSubmitter(RankContext rank, LaunchLane lane, SubmissionGate gate) {
        this.rank = rank;
        this.lane = lane;
        this.gate = gate;
    }

    CompletionStage<Completion> submit(FusedAllReduce request) {
        return asynchronous(() -> {
            SubmissionGate.Open open = gate.require();
            PlannedCall call = open.path().plan(request);
            PendingCalls pending = pending(open, List.of(call), call.launches().launches());
            open.path().launch(pending);
            return pending.future();
        });
    }

    CapturedSequence capture(List<FusedAllReduce> requests) {
        return locked(() -> {
            SubmissionGate.Open open = gate.require();
            List<PlannedCall> calls = requests.stream().map(open.path()::plan).toList();
            long launches =
                    calls.stream().mapToLong(call -> call.launches().launches()).sum();
            if (launches < 1 || launches > StatusRing.RECORDS) {
                throw new TuttiException(ErrorInfo.of(
                        ErrorCode.USAGE,
                        "a captured sequence has the wrong length: launches=" + launches + " allowed=1.."
                                + StatusRing.RECORDS,
                        "Cut it into several."));
            }
            return new CapturedSequence(this, open.epoch(), open.path().capture(calls), calls, (int) launches);
        });
    }

    CompletionStage<Completion> replay(CapturedSequence sequence) {
        return asynchronous(() -> {
            SubmissionGate.Open open = gate.require();
            requirePresent(sequence.epoch(), open.epoch());
            PendingCalls pending = pending(open, sequence.calls(), sequence.launches());
            sequence.prepared().launch(pending);
            return pending.future();
        });
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
            return rank.call(step);
        } finally {
            lane.lock().unlock();
        }
    }
}
