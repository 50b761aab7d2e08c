package io.tutti.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.input.SeededTensors;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.RankTensors;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MeasureLoopTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final OperationShape SHAPE = new OperationShape(1, 8, DType.FP32);

    private final Waits waits = new Waits();

    @Test
    void callsThatCompleteAtOnceNeedNoStack() {
        FakeRank rank = new FakeRank(0, 1, call -> done());
        Burst burst = loop(rank).run(100_000, 100_000, LIMIT, "the test");
        assertThat(rank.made()).isEqualTo(200_000);
        assertThat(burst.slowest().count()).isEqualTo(100_000);
        assertThat(burst.path()).isEqualTo(FakeRank.DONE.path());
        assertThat(burst.algorithm()).isEqualTo(FakeRank.DONE.algorithm());
    }

    @Test
    void callsThatOtherThreadsCompleteFollowEachOther() {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            FakeRank first = new FakeRank(0, 2, call -> later(threads));
            FakeRank second = new FakeRank(1, 2, call -> later(threads));
            MeasureLoop loop = loop(first, second);
            Burst burst = loop.run(10, 20_000, LIMIT, "the test");
            assertThat(first.made()).isEqualTo(20_010);
            assertThat(second.made()).isEqualTo(20_010);
            assertThat(burst.slowest().count()).isEqualTo(20_000);
            assertThat(burst.slowest().medianMicros()).isPositive();
            assertThat(loop.settled()).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theTimeOfTheSlowestRankCounts() {
        CompletableFuture<Completion> held = new CompletableFuture<>();
        FakeRank fast = new FakeRank(0, 2, call -> done());
        FakeRank slow = new FakeRank(1, 2, call -> held);
        CompletableFuture<Burst> burst =
                CompletableFuture.supplyAsync(() -> loop(fast, slow).run(0, 1, LIMIT, "the test"));
        long least = 20_000_000;
        long start = System.nanoTime();
        while (slow.made() == 0 || System.nanoTime() - start < least) {
            Thread.onSpinWait();
        }
        long called = System.nanoTime();
        while (System.nanoTime() - called < least) {
            Thread.onSpinWait();
        }
        held.complete(FakeRank.DONE);
        assertThat(burst.join().slowest().medianMicros()).isGreaterThan(least / 1000.0);
    }

    @Test
    void theFailureThatExplainsTheOthersIsThrownWithItsRank() {
        FakeRank aborted = new FakeRank(0, 2, call -> failed(ErrorCode.ABORTED));
        FakeRank lost = new FakeRank(1, 2, call -> call < 3 ? done() : failed(ErrorCode.REMOTE));
        assertThatThrownBy(() -> loop(aborted, lost).run(0, 10, LIMIT, "the test"))
                .isInstanceOfSatisfying(TuttiException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(ErrorCode.REMOTE);
                    assertThat(failure.info().rank()).isEqualTo(1);
                });
        assertThat(lost.made()).isEqualTo(3);
    }

    @Test
    void aCallThatThrowsIsAFailureToo() {
        FakeRank rank = new FakeRank(0, 1, call -> {
            throw new TuttiException(ErrorInfo.of(ErrorCode.USAGE, "no such shape", "Give another."));
        });
        assertThatThrownBy(() -> loop(rank).run(0, 10, LIMIT, "the test"))
                .isInstanceOfSatisfying(
                        TuttiException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.USAGE));
    }

    @Test
    void aCallThatNeverCompletesEndsByTheLimitAndIsNotSettled() {
        MeasureLoop loop = loop(new FakeRank(0, 1, call -> new CompletableFuture<>()));
        assertThatThrownBy(() -> loop.run(0, 1, Duration.ofMillis(50), "the test"))
                .isInstanceOfSatisfying(
                        TuttiException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT));
        assertThat(loop.settled()).isFalse();
    }

    @Test
    void aRunThatIsStoppedEndsItsLoopsTogether() {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            FakeRank first = new FakeRank(0, 2, call -> later(threads));
            FakeRank second = new FakeRank(1, 2, call -> {
                if (call == 1_000) {
                    waits.stop("the test says so");
                }
                return later(threads);
            });
            MeasureLoop loop = loop(first, second);
            assertThatThrownBy(() -> loop.run(0, 5_000_000, LIMIT, "the test"))
                    .isInstanceOfSatisfying(
                            TuttiException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.ABORTED));
            assertThat(loop.settled()).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Between a completion and the next launch nothing is under way that could end the loop later. */
    @Test
    void aLoopThatIsToldToEndBetweenTwoLaunchesEnds() {
        RankLoop idle = new RankLoop(new RankLaunch(CompletableFuture::new, 1, 0), 0, 5);
        CompletableFuture<RankLoop.Result> result = idle.start();
        idle.endAfter(0);
        assertThat(result).isCancelled();
    }

    @Test
    void aGraphsTimeIsSharedByItsOperationsAndTheNextWaitsBehindIt() {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            FakeRank rank = new FakeRank(0, 1, call -> {
                most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                return CompletableFuture.supplyAsync(
                        () -> {
                            long start = System.nanoTime();
                            while (System.nanoTime() - start < 1_000_000) {
                                Thread.onSpinWait();
                            }
                            underWay.decrementAndGet();
                            return FakeRank.DONE;
                        },
                        threads);
            });
            List<RankTensors> tensors = tensors(rank);
            CapturedCalls graph =
                    rank.capture(Collections.nCopies(10, tensors.get(0).request()));
            Burst burst =
                    new MeasureLoop(tensors, List.of(RankLaunch.graph(graph)), waits).run(1, 20, LIMIT, "the test");
            assertThat(rank.made()).isEqualTo(21);
            assertThat(burst.slowest().count()).isEqualTo(20);
            assertThat(burst.slowest().medianMicros()).isGreaterThanOrEqualTo(90);
            assertThat(most).hasValue(2);
        } finally {
            threads.shutdownNow();
        }
    }

    private MeasureLoop loop(FakeRank... ranks) {
        List<RankTensors> tensors = tensors(ranks);
        return new MeasureLoop(
                tensors,
                tensors.stream()
                        .map(rank -> RankLaunch.single(rank.target(), rank.request()))
                        .toList(),
                waits);
    }

    private List<RankTensors> tensors(FakeRank... ranks) {
        SeededTensors inputs = new SeededTensors(ranks.length, SHAPE, 1);
        Operation operation = new Operation(Epilogue.RESIDUAL_RMSNORM, 1e-6f, 1);
        return List.of(ranks).stream()
                .map(rank -> RankTensors.load(rank, inputs, operation, waits))
                .toList();
    }

    private static CompletionStage<Completion> done() {
        return CompletableFuture.completedStage(FakeRank.DONE);
    }

    private static CompletionStage<Completion> later(Executor threads) {
        return CompletableFuture.supplyAsync(() -> FakeRank.DONE, threads);
    }

    private static CompletionStage<Completion> failed(ErrorCode code) {
        return CompletableFuture.failedStage(new TuttiException(ErrorInfo.of(code, "the test says so", "")));
    }
}
