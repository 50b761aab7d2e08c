package io.tutti.actors.internal;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Users who wait until the coordinator has forgotten what was refused; each wait has a deadline. Thread-safe. */
final class ForgetRequests {

    private final Duration limit;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

    ForgetRequests(Duration limit) {
        this.limit = limit;
    }

    /** One more who waits. */
    CompletionStage<Void> add(String communicator) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (waiting) {
            waiting.add(done);
        }
        CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> done.completeExceptionally(new TuttiException(ErrorInfo.of(
                        ErrorCode.TIMEOUT,
                        "the coordinator did not answer in time: communicator=" + communicator
                                + " asked=forget-refusals" + " waited=" + limit.toMillis() + "ms",
                        "See whether a coordinator is reachable; ask again."))));
        return done.minimalCompletionStage();
    }

    void forgotten() {
        take().forEach(done -> done.complete(null));
    }

    void over(ErrorInfo cause) {
        take().forEach(done -> done.completeExceptionally(new TuttiException(cause)));
    }

    private List<CompletableFuture<Void>> take() {
        synchronized (waiting) {
            List<CompletableFuture<Void>> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }
    }
}
