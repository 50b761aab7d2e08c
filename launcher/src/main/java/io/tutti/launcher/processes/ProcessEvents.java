package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What all rank processes did, in order of arrival. Any thread adds; one takes. */
final class ProcessEvents {

    private final Object lock = new Object();
    private final Queue<ProcessEvent> arrived = new ArrayDeque<>();
    private @Nullable CompletableFuture<ProcessEvent> awaited;

    void add(ProcessEvent event) {
        CompletableFuture<ProcessEvent> taker;
        synchronized (lock) {
            taker = awaited;
            awaited = null;
            if (taker == null) {
                arrived.add(event);
            }
        }
        if (taker != null) {
            taker.complete(event);
        }
    }

    /**
     * The next event, or empty when none came in time.
     *
     * @throws TuttiException with code ABORTED when the run was stopped
     */
    Optional<ProcessEvent> next(Waits waits, Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            return Optional.ofNullable(poll());
        }
        CompletableFuture<ProcessEvent> next = take();
        try {
            return Optional.of(waits.await(next, limit, "a rank process to say something"));
        } catch (TuttiException e) {
            if (e.code() != ErrorCode.TIMEOUT) {
                throw e;
            }
            return giveUp() ? Optional.empty() : Optional.of(next.join());
        }
    }

    private @Nullable ProcessEvent poll() {
        synchronized (lock) {
            return arrived.poll();
        }
    }

    private CompletableFuture<ProcessEvent> take() {
        synchronized (lock) {
            ProcessEvent event = arrived.poll();
            if (event != null) {
                return CompletableFuture.completedFuture(event);
            }
            awaited = new CompletableFuture<>();
            return awaited;
        }
    }

    /** Whether nobody will complete that future any more; otherwise somebody is just about to. */
    private boolean giveUp() {
        synchronized (lock) {
            boolean waiting = awaited != null;
            awaited = null;
            return waiting;
        }
    }
}
