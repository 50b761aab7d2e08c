package io.tutti.gpu.rank;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.op.CollectiveException;
import io.tutti.gpu.op.Completion;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One submission, a call or a replayed sequence of calls, from its launch to its completion. It completes with success
 * when its last kernel has succeeded; otherwise it stays open until the epoch is ended with a cause.
 */
final class PendingCalls implements Pending {

    private final EpochCalls epochCalls;
    private final PathKind path;
    private final List<PlannedCall> calls;
    private final int launches;
    private final long submitted = System.nanoTime();
    private final CompletableFuture<Completion> future = new CompletableFuture<>();
    private long firstSequence;
    private volatile int succeeded;

    PendingCalls(EpochCalls epochCalls, PathKind path, List<PlannedCall> calls, int launches) {
        this.epochCalls = epochCalls;
        this.path = path;
        this.calls = calls;
        this.launches = launches;
    }

    CompletableFuture<Completion> future() {
        return future;
    }

    /** What runs, in this order. */
    List<PlannedCall> calls() {
        return calls;
    }

    int launches() {
        return launches;
    }

    /** Takes its place among the epoch's calls. */
    void begin() {
        epochCalls.add(this);
    }

    /**
     * Fails at once, and the epoch with it, since peers wait for launches that do not come.
     *
     * @param launched how many were handed over all the same
     */
    void giveUp(int launched, ErrorInfo error) {
        epochCalls.shorten(this, launched);
        fail(error, false);
        CallDescriptor call = firstUnfinished();
        epochCalls.launchFailed(call.sequence(), StatusCode.DEVICE_ERROR, -1, call);
    }

    void number(long sequence) {
        firstSequence = sequence;
    }

    @Override
    public void left(int index, LaunchOutcome outcome) {
        if (outcome.status() != StatusCode.OK) {
            long sequence = firstSequence + index;
            epochCalls.launchFailed(sequence, outcome.status(), outcome.namedRank(), callOf(index));
            return;
        }
        epochCalls.launchSucceeded(firstSequence + index);
        succeeded = index + 1;
        if (succeeded == launches) {
            epochCalls.succeeded(this);
            PlannedCall last = calls.get(calls.size() - 1);
            long nanos = System.nanoTime() - submitted;
            future.complete(
                    new Completion(epochCalls.epoch(), firstSequence + index, path, last.algorithm(), launches, nanos));
        }
    }

    @Override
    public void deviceFailed(ErrorInfo error) {
        epochCalls.launchFailed(
                firstSequence + succeeded, StatusCode.DEVICE_ERROR, -1, callOf(Math.min(succeeded, launches - 1)));
        fail(error, false);
    }

    /** The call that the first launch without success belongs to. */
    CallDescriptor firstUnfinished() {
        return callOf(Math.min(succeeded, launches - 1));
    }

    void end(ErrorInfo cause, long groupRetired) {
        boolean untouched = groupRetired < firstSequence && calls.stream().noneMatch(PlannedCall::inPlace);
        fail(cause, untouched);
    }

    /** Fails at once. */
    void fail(ErrorInfo cause, boolean resubmittable) {
        future.completeExceptionally(
                new CollectiveException(cause, epochCalls.epoch(), firstUnfinished(), resubmittable));
    }

    private CallDescriptor callOf(int launch) {
        int before = 0;
        for (PlannedCall call : calls) {
            if (launch < before + call.launches().launches()) {
                return call.numbered(firstSequence + launch);
            }
            before += call.launches().launches();
        }
        throw new IndexOutOfBoundsException("launch=" + launch + " launches=" + launches);
    }
}
