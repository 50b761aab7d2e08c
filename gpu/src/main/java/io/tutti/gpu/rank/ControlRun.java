package io.tutti.gpu.rank;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One kernel that the rank's thread waits for. */
final class ControlRun implements Pending {

    private final CompletableFuture<LaunchOutcome> outcome = new CompletableFuture<>();

    @Override
    public void left(int index, LaunchOutcome result) {
        outcome.complete(result);
    }

    @Override
    public void deviceFailed(ErrorInfo error) {
        outcome.completeExceptionally(new TuttiException(error));
    }

    LaunchOutcome await(String kernel, long timeoutNanos) {
        try {
            return outcome.get(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TuttiException known) {
                throw known;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.TIMEOUT,
                            "kernel did not leave in time: kernel=" + kernel + " timeoutMillis="
                                    + TimeUnit.NANOSECONDS.toMillis(timeoutNanos),
                            "Look at the device; its stream may be stuck behind other work."),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.CLOSED,
                            "interrupted while waiting for a kernel: kernel=" + kernel,
                            "The rank is being stopped."),
                    e);
        }
    }
}
