package io.tutti.benchmarks.measure;

import io.tutti.actors.api.Rank;
import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One rank repeating its call: each is made as soon as the one before has completed, on the thread that saw it complete, so
 * that no thread of the measurement competes with the ranks for a processor. Used once.
 */
final class RankLoop {

    /**
     * What a loop measured.
     *
     * @param samples of the measured calls, each from before the call until its stage had completed
     * @param last the last call's completion
     */
    record Result(Samples samples, Completion last) {}

    private final Rank rank;
    private final FusedAllReduce request;
    private final int warmUp;
    private final long[] nanos;
    private final CompletableFuture<Result> result = new CompletableFuture<>();

    /** After so many calls it ends, whatever was asked for. */
    private volatile int last = Integer.MAX_VALUE;

    // Of the call under way; handed from thread to thread by its completion, and looked at by whoever ends the loop.
    private volatile int made;
    private long start;

    RankLoop(Rank rank, FusedAllReduce request, int warmUp, int iterations) {
        this.rank = rank;
        this.request = request;
        this.warmUp = warmUp;
        this.nanos = new long[iterations];
    }

    /** Starts; the stage ends with the last call, or with the first that failed. */
    CompletableFuture<Result> start() {
        advance();
        return result;
    }

    /** Calls that have completed. */
    int made() {
        return made;
    }

    /** Makes the stage fail once that many calls have completed. */
    void endAfter(int calls) {
        last = calls;
    }

    private void advance() {
        boolean completedAtOnce;
        do {
            // Whoever comes second goes on: this thread when the call has completed already, else the completing one.
            AtomicBoolean first = new AtomicBoolean(true);
            call().whenComplete((done, failure) -> {
                if (completed(done, failure) && !first.getAndSet(false)) {
                    advance();
                }
            });
            completedAtOnce = !first.getAndSet(false);
        } while (completedAtOnce && !result.isDone());
    }

    private CompletionStage<Completion> call() {
        start = System.nanoTime();
        try {
            return rank.allReduce(request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** Whether another call follows. */
    private boolean completed(Completion done, Throwable failure) {
        long end = System.nanoTime();
        if (failure != null) {
            result.completeExceptionally(failure);
            return false;
        }
        int before = made;
        if (before >= warmUp) {
            nanos[before - warmUp] = end - start;
        }
        made = before + 1;
        if (before + 1 == warmUp + nanos.length) {
            result.complete(new Result(Samples.of(nanos), done));
        } else if (before + 1 >= last) {
            result.cancel(false);
        }
        return !result.isDone();
    }
}
