package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.op.Completion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One rank repeating its launch: another is made as soon as one has completed, on the thread that saw it complete, so that
 * no thread of the measurement competes with the ranks for a processor. Used once.
 */
final class RankLoop {

    /**
     * What a loop measured.
     *
     * @param samples of the measured launches: for each the time since the one before completed, over its operations
     * @param last the last launch's completion
     */
    record Result(Samples samples, Completion last) {}

    private final RankLaunch launch;
    private final int warmUp;
    private final long[] nanos;
    private final CompletableFuture<Result> result = new CompletableFuture<>();

    /** Launches that were asked for and not made yet. Whoever makes it positive makes them, the others go on. */
    private final AtomicInteger due = new AtomicInteger();

    // The rest with the monitor held.
    private int last = Integer.MAX_VALUE;
    private int launched;
    private int completed;
    private int failed;
    private @Nullable Throwable failure;
    private long lastEnd;

    RankLoop(RankLaunch launch, int warmUp, int iterations) {
        this.launch = launch;
        this.warmUp = warmUp;
        this.nanos = new long[iterations];
    }

    /** Starts; the stage ends when none is under way any more: after the last launch, or after one that failed. */
    CompletableFuture<Result> start() {
        synchronized (this) {
            lastEnd = System.nanoTime();
        }
        for (int i = 0; i < launch.ahead(); i++) {
            another();
        }
        return result;
    }

    /** Launches that have completed. */
    synchronized int made() {
        return completed;
    }

    /** Makes the stage fail once that many launches have completed. */
    synchronized void endAfter(int launches) {
        last = launches;
        // Between a completion and the launch after it none is under way whose end would tell.
        if (completed >= last && completed + failed == launched) {
            result.cancel(false);
        }
    }

    /** Not by recursion, since a launch may have completed before anybody asks. */
    private void another() {
        if (due.getAndIncrement() > 0) {
            return;
        }
        do {
            if (claim()) {
                call().whenComplete(this::ended);
            }
        } while (due.decrementAndGet() > 0);
    }

    private synchronized boolean claim() {
        boolean more = failure == null && launched < Math.min(last, warmUp + nanos.length);
        launched += more ? 1 : 0;
        return more;
    }

    private CompletionStage<Completion> call() {
        try {
            return launch.again().get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void ended(Completion done, @Nullable Throwable thrown) {
        if (thrown == null) {
            record(done);
        } else {
            fail(thrown);
        }
        if (!result.isDone()) {
            another();
        }
    }

    private synchronized void record(Completion done) {
        long end = System.nanoTime();
        if (completed >= warmUp) {
            nanos[completed - warmUp] = (end - lastEnd) / launch.operations();
        }
        lastEnd = end;
        completed++;
        if (failure != null) {
            failWhenNoneIsUnderWay(failure);
        } else if (completed == warmUp + nanos.length) {
            result.complete(new Result(Samples.of(nanos), done));
        } else if (completed >= last) {
            result.cancel(false);
        }
    }

    private synchronized void fail(Throwable thrown) {
        failed++;
        failure = failure == null ? thrown : failure;
        failWhenNoneIsUnderWay(failure);
    }

    private void failWhenNoneIsUnderWay(Throwable cause) {
        if (completed + failed == launched) {
            result.completeExceptionally(cause);
        }
    }
}
