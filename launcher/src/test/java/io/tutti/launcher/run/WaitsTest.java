package io.tutti.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.FormingProgress;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** No wait of a run lasts longer than its deadline, and all end when the run is stopped. */
class WaitsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Waits waits = new Waits();

    @Test
    void aStageThatNeverCompletesEndsAtTheDeadlineWithItsName() {
        TuttiException error = catchThrowableOfType(
                TuttiException.class,
                () -> waits.await(new CompletableFuture<>(), Duration.ofMillis(20), "the moon to rise"));
        assertThat(error.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(error).hasMessageContaining("waited 0.02 s for the moon to rise");
    }

    @Test
    void theStagesOwnFailureComesThroughAllWrapping() {
        TuttiException own = new TuttiException(ErrorInfo.of(ErrorCode.REMOTE, "lost", "look"));
        TuttiException error = catchThrowableOfType(
                TuttiException.class,
                () -> waits.await(
                        CompletableFuture.failedFuture(new CompletionException(new CompletionException(own))),
                        LONG,
                        "it"));
        assertThat(error).isSameAs(own);
    }

    @Test
    void aStopEndsAWaitUnderWayAndEveryLaterOne() {
        CompletableFuture<Void> waiting = new CompletableFuture<>() {
            @Override
            public CompletableFuture<Void> whenComplete(BiConsumer<? super Void, ? super Throwable> action) {
                CompletableFuture.runAsync(() -> waits.stop("a test"));
                return super.whenComplete(action);
            }
        };
        assertStopped(catchThrowableOfType(TuttiException.class, () -> waits.await(waiting, LONG, "it")));
        assertStopped(
                catchThrowableOfType(TuttiException.class, () -> waits.await(new CompletableFuture<>(), LONG, "it")));
        assertStopped(catchThrowableOfType(TuttiException.class, waits::checkpoint));
    }

    @Test
    void aLongWaitIsWatched() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        AtomicInteger watched = new AtomicInteger();
        String got = waits.await(answer, LONG, "it", () -> {
            if (watched.incrementAndGet() == 2) {
                answer.complete("there");
            }
        });
        assertThat(got).isEqualTo("there");
        assertThat(watched).hasValue(2);
    }

    @Test
    void whileACommunicatorFormsItsStageAndItsRanksAreShown() {
        CompletableFuture<Void> formed = new CompletableFuture<>();
        List<String> shown = new ArrayList<>();
        FakeRuntime.Starter starter = new FakeRuntime.Starter(new FakeRuntime.Faults() {
            @Override
            public CompletionStage<Void> forming() {
                return formed;
            }

            @Override
            public Optional<FormingProgress> progress() {
                return Optional.of(new FormingProgress("import", 1, 2));
            }
        });
        Progress progress = (what, done, total) -> {
            shown.add(what + " " + done + " of " + total);
            formed.complete(null);
        };
        new RunJob(starter, waits, progress, Agreement.ALL_HERE)
                .run(Requests.small(new RunRequest.Limits(LONG, LONG)), ConfigFactory.empty());
        assertThat(shown).first().isEqualTo("tp0: forming, import, ranks done 1 of 2");
    }

    private static void assertStopped(TuttiException error) {
        assertThat(error.code()).isEqualTo(ErrorCode.ABORTED);
        assertThat(error).hasMessageContaining("stopped: a test");
    }

    @Test
    void aRunThatHangsInAnOperationEndsAtItsDeadlineAndNamesTheOperation() {
        FakeRuntime.Starter starter = new FakeRuntime.Starter(new FakeRuntime.Faults() {
            @Override
            public CompletableFuture<Void> outcome(int operation, int rank) {
                return operation == 2 && rank == 1
                        ? new CompletableFuture<>()
                        : CompletableFuture.completedFuture(null);
            }
        });
        RunRequest request = Requests.small(new RunRequest.Limits(LONG, Duration.ofMillis(50)));
        TuttiException error = catchThrowableOfType(
                TuttiException.class,
                () -> new RunJob(starter, waits, Progress.SILENT, Agreement.ALL_HERE)
                        .run(request, ConfigFactory.empty()));
        assertThat(error.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(error).hasMessageContaining("operation 2 of communicator tp0 on all ranks");
        assertThat(starter.started().get(0).isClosed()).isTrue();
        assertThat(starter.started().get(0).liveTensors())
                .as("a kernel may still write to them")
                .isPositive();
    }
}
