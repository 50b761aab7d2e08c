package io.tutti.actors.internal;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Calls that a user made while no epoch is committed. They keep their order, wait for the next epoch, and fail when it
 * does not come in time. Confined to its owner's lock.
 */
final class HeldCalls {

    private record Held(
            Supplier<CompletionStage<Completion>> launch, CompletableFuture<Completion> future, long deadlineNanos) {}

    private final Deque<Held> calls = new ArrayDeque<>();

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** @param launch puts the call on the rank's stream */
    CompletionStage<Completion> hold(Supplier<CompletionStage<Completion>> launch, long deadlineNanos) {
        CompletableFuture<Completion> future = new CompletableFuture<>();
        calls.addLast(new Held(launch, future, deadlineNanos));
        return future;
    }

    /** Launches every held call, in order. */
    void flush() {
        for (Held held = calls.pollFirst(); held != null; held = calls.pollFirst()) {
            CompletableFuture<Completion> future = held.future();
            held.launch().get().whenComplete((completion, failure) -> {
                if (failure != null) {
                    future.completeExceptionally(failure);
                } else {
                    future.complete(completion);
                }
            });
        }
    }

    /** Takes out the calls whose deadline has passed, as actions that fail them; run these outside the owner's lock. */
    Runnable expire(long nowNanos, int rank) {
        Deque<Held> expired = new ArrayDeque<>();
        while (!calls.isEmpty() && calls.peekFirst().deadlineNanos() - nowNanos <= 0) {
            expired.addLast(calls.removeFirst());
        }
        ErrorInfo error = new ErrorInfo(
                ErrorCode.TIMEOUT,
                rank,
                null,
                null,
                "no epoch was committed in time for a call that waited for one",
                "Look at the log for why the epoch could not be formed; the call did not run and may be made again.");
        return () -> fail(expired, error);
    }

    /** Takes out all calls, as an action that fails them; run it outside the owner's lock. */
    Runnable failAll(ErrorInfo error) {
        Deque<Held> all = new ArrayDeque<>(calls);
        calls.clear();
        return () -> fail(all, error);
    }

    private static void fail(Deque<Held> calls, ErrorInfo error) {
        for (Held held : calls) {
            held.future().completeExceptionally(new TuttiException(error));
        }
    }
}
