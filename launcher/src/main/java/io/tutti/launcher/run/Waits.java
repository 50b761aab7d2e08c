package io.tutti.launcher.run;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Every wait of a run: each has a deadline and a name, and all of them end at once when the run is stopped from outside.
 * One thread waits; any thread may stop.
 */
public final class Waits {

    private static final long WATCH_INTERVAL = TimeUnit.MILLISECONDS.toNanos(500);

    private final Object lock = new Object();
    private @Nullable CompletableFuture<?> current;
    private @Nullable String stopReason;

    /**
     * Waits for a stage.
     *
     * @param what names it in the error, as the end of "waited 30 s for …"
     * @throws TuttiException the stage's own failure; code TIMEOUT at the deadline; code ABORTED when stopped
     */
    public <T> T await(CompletionStage<T> stage, Duration limit, String what) {
        return await(stage, limit, what, () -> {});
    }

    /** The same; {@code watch} is called now and then while it waits, on this thread. */
    public <T> T await(CompletionStage<T> stage, Duration limit, String what, Runnable watch) {
        CompletableFuture<T> mine = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                mine.complete(value);
            } else {
                mine.completeExceptionally(failure);
            }
        });
        begin(mine);
        try {
            return get(mine, limit.toNanos(), watch);
        } catch (TimeoutException e) {
            throw failure(
                    ErrorCode.TIMEOUT,
                    "waited " + seconds(limit) + " for " + what,
                    "See the log (--verbose) for what it waits for, or give more time with --timeout.",
                    e);
        } catch (ExecutionException e) {
            throw unwrap(e, what);
        } catch (CancellationException e) {
            throw stopped();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(ErrorCode.ABORTED, "interrupted while waiting for " + what, "Run it again.", e);
        } finally {
            synchronized (lock) {
                current = null;
            }
        }
    }

    private static <T> T get(CompletableFuture<T> mine, long limit, Runnable watch)
            throws InterruptedException, ExecutionException, TimeoutException {
        long start = System.nanoTime();
        for (long left = limit; left > WATCH_INTERVAL; left = limit - (System.nanoTime() - start)) {
            try {
                return mine.get(WATCH_INTERVAL, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                watch.run();
            }
        }
        return mine.get(limit - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
    }

    /** Fails with code ABORTED once the run was stopped; for long work between waits. */
    public void checkpoint() {
        synchronized (lock) {
            if (stopReason == null) {
                return;
            }
        }
        throw stopped();
    }

    /** Ends the wait under way and every later one. The first reason counts. */
    public void stop(String reason) {
        synchronized (lock) {
            if (stopReason == null) {
                stopReason = reason;
            }
            if (current != null) {
                current.cancel(false);
            }
        }
    }

    /**
     * The failure to report: once the run was stopped, whatever fails afterwards only follows from that. An error that
     * does not is thrown as it is.
     */
    public RuntimeException explain(Throwable failure) {
        boolean running;
        synchronized (lock) {
            running = stopReason == null;
        }
        if (running && failure instanceof Error error) {
            throw error;
        }
        if (running) {
            return failure instanceof RuntimeException own ? own : Failures.asTutti(failure, "in the command");
        }
        TuttiException stopped = stopped();
        stopped.addSuppressed(failure);
        return stopped;
    }

    private void begin(CompletableFuture<?> wait) {
        synchronized (lock) {
            current = wait;
            if (stopReason != null) {
                wait.cancel(false);
            }
        }
    }

    private TuttiException stopped() {
        String reason;
        synchronized (lock) {
            reason = String.valueOf(stopReason);
        }
        return failure(ErrorCode.ABORTED, "the run was stopped: " + reason, "Run it again.", null);
    }

    private static RuntimeException unwrap(ExecutionException failure, String what) {
        return Failures.asTutti(failure, "while waiting for " + what);
    }

    private static TuttiException failure(ErrorCode code, String message, String advice, @Nullable Throwable cause) {
        return new TuttiException(ErrorInfo.of(code, message, advice), cause);
    }

    private static String seconds(Duration limit) {
        return limit.toMillis() / 1000.0 + " s";
    }
}
