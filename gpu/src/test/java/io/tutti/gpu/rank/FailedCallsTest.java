package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.numerics.Payload;
import io.tutti.gpu.op.CollectiveException;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Missing, late, aborted and differing calls end within their deadline, name who is to blame, and leave a clean slate. */
final class FailedCallsTest {

    private static final Duration PATIENT = Duration.ofSeconds(30);

    @Test
    void aMissingRankIsNamedByTheDeadlineAndTheOthersAreFreed() throws Exception {
        try (RankGroup group = new RankGroup(3, Duration.ofMillis(300))) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 4, 256);
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            long start = System.nanoTime();
            for (int rank : new int[] {0, 2}) {
                stages.add(group.ranks.get(rank).submit(call.requests.get(rank)));
            }
            await(() -> group.failures.size() == 2);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(group.failures)
                    .filteredOn(failure -> failure.status() == StatusCode.TIMEOUT)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure.namedRank()).isEqualTo(1));
            assertThat(group.failures).allSatisfy(failure -> {
                assertThat(failure.epoch()).isEqualTo(epoch);
                assertThat(failure.sequence()).isEqualTo(1);
                assertThat(failure.call().tokens()).isEqualTo(4);
            });
            assertThat(group.ranks.get(0).snapshot(epoch).startedSequences()).containsExactly(1L, 0L, 1L);
            group.end(epoch);
            for (CompletionStage<Completion> stage : stages) {
                CollectiveException failure = failureOf(stage);
                assertThat(failure.code()).isEqualTo(ErrorCode.ABORTED);
                assertThat(failure.epoch()).isEqualTo(epoch);
                assertThat(failure.resubmittable()).isTrue();
            }
            runsRightInANewEpoch(group);
        }
    }

    @Test
    void queuedKernelsAllLeaveAtOnceAfterAnAbort() throws Exception {
        try (RankGroup group = new RankGroup(2, PATIENT)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 1, 64);
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                stages.add(group.ranks.get(0).submit(call.requests.get(0)));
            }
            long start = System.nanoTime();
            group.ranks.get(0).abort(epoch, RankGroup.ENDED);
            group.ranks.get(0).quiesce(PATIENT.toNanos());
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            assertThat(group.failures).hasSize(1).allMatch(failure -> failure.status() == StatusCode.ABORTED);
            // The other rank finds the epoch poisoned, without having heard of it.
            CompletionStage<Completion> late = group.ranks.get(1).submit(call.requests.get(1));
            await(() -> group.failures.size() == 2);
            assertThat(group.failures.get(1).status()).isEqualTo(StatusCode.ABORTED);
            assertThat(group.failures.get(1).namedRank()).isEqualTo(0);
            group.end(epoch);
            stages.add(late);
            for (CompletionStage<Completion> stage : stages) {
                assertThat(failureOf(stage).code()).isEqualTo(ErrorCode.ABORTED);
            }
            runsRightInANewEpoch(group);
        }
    }

    @Test
    void callsThatDifferEndInAMismatchThatNamesTheOtherRank() throws Exception {
        List<UnaryOperator<FusedAllReduce>> changes = List.of(
                request -> request.eps(2e-6f),
                request -> request.tagged(7),
                FusedAllReduce::gemma,
                request -> new FusedAllReduce(
                        reshaped(request.partial()),
                        reshaped(request.residual()),
                        new DeviceTensor(present(request.gamma()).devicePointer(), DType.FP32, 1, 128),
                        request.epilogue(),
                        request.eps(),
                        reshaped(request.normOut()),
                        reshaped(request.residualOut()),
                        null,
                        0),
                request -> FusedAllReduce.sum(request.partial(), present(request.normOut())));
        try (RankGroup group = new RankGroup(2, PATIENT)) {
            for (UnaryOperator<FusedAllReduce> change : changes) {
                group.failures.clear();
                EpochId epoch = group.form(group.plan(null));
                GroupCall call = GroupCall.ordinary(group, 4, 256);
                CompletionStage<Completion> one = group.ranks.get(0).submit(call.requests.get(0));
                CompletionStage<Completion> other = group.ranks.get(1).submit(change.apply(call.requests.get(1)));
                await(() -> group.failures.size() == 2);
                assertThat(group.failures)
                        .filteredOn(failure -> failure.status() == StatusCode.MISMATCH)
                        .isNotEmpty()
                        .allMatch(failure -> failure.namedRank() == 1 - failure.rank());
                group.end(epoch);
                failureOf(one);
                failureOf(other);
                group.freeTensors();
            }
            runsRightInANewEpoch(group);
        }
    }

    @Test
    void anOtherTypeOfTheSameSizeIsAMismatch() throws Exception {
        try (RankGroup group = new RankGroup(2, PATIENT)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall bf16 =
                    new GroupCall(group, DType.BF16, Epilogue.RESIDUAL_RMSNORM, 4, 256, Payload.ORDINARY, 1, 0);
            GroupCall fp16 =
                    new GroupCall(group, DType.FP16, Epilogue.RESIDUAL_RMSNORM, 4, 256, Payload.ORDINARY, 1, 0);
            group.ranks.get(0).submit(bf16.requests.get(0));
            group.ranks.get(1).submit(fp16.requests.get(1));
            await(() -> group.failures.size() == 2);
            assertThat(group.failures).anyMatch(failure -> failure.status() == StatusCode.MISMATCH);
            assertThat(group.failures)
                    .extracting(failure -> failure.call().dtype())
                    .containsOnly(DType.BF16, DType.FP16);
            group.end(epoch);
        }
    }

    @Test
    void callsInAnotherOrderAreAMismatch() throws Exception {
        try (RankGroup group = new RankGroup(2, PATIENT)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall small = GroupCall.ordinary(group, 1, 256);
            GroupCall large = GroupCall.ordinary(group, 40, 256);
            group.ranks.get(0).submit(small.requests.get(0));
            group.ranks.get(0).submit(large.requests.get(0));
            group.ranks.get(1).submit(large.requests.get(1));
            group.ranks.get(1).submit(small.requests.get(1));
            await(() -> group.failures.size() == 2);
            assertThat(group.failures).anyMatch(failure -> failure.status() == StatusCode.MISMATCH);
            group.end(epoch);
            runsRightInANewEpoch(group);
        }
    }

    @Test
    void abortedCallsInBetweenLeaveTheNextEpochRight() throws Exception {
        try (RankGroup group = new RankGroup(3, PATIENT)) {
            for (int round = 0; round < 6; round++) {
                EpochId epoch = group.form(group.plan(null));
                GroupCall.ordinary(group, 1 + 7 * round, 512).run();
                GroupCall interrupted = GroupCall.ordinary(group, 30, 512);
                for (int rank = 0; rank < 2; rank++) {
                    group.ranks.get(rank).submit(interrupted.requests.get(rank));
                }
                group.end(epoch);
                group.freeTensors();
            }
            runsRightInANewEpoch(group);
        }
    }

    @Test
    void callsOutsideACommittedEpochAreRefusedWithTheReason() throws Exception {
        try (RankGroup group = new RankGroup(2, PATIENT)) {
            GroupCall call = GroupCall.ordinary(group, 1, 64);
            assertThat(refusal(group, call)).isEqualTo(ErrorCode.STALE);
            EpochId epoch = group.form(group.plan(null));
            call.run();
            group.ranks.get(0).abort(epoch, ErrorInfo.of(ErrorCode.REMOTE, "rank 1 was lost", "Wait."));
            assertThat(refusal(group, call)).isEqualTo(ErrorCode.REMOTE);
            group.end(epoch);
            runsRightInANewEpoch(group);
        }
    }

    @Test
    void anEpochThatWasAbortedBeforeCommitCannotBeEntered() {
        try (RankGroup group = new RankGroup(2, PATIENT)) {
            EpochId epoch = group.nextEpoch();
            group.prepare(epoch, group.plan(null));
            group.ranks.get(0).abort(epoch, RankGroup.ENDED);
            assertThatThrownBy(() -> group.ranks.get(0).enter(epoch))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ABORTED));
            group.end(epoch);
        }
    }

    private static ErrorCode refusal(RankGroup group, GroupCall call) throws Exception {
        try {
            group.ranks
                    .get(0)
                    .submit(call.requests.get(0))
                    .toCompletableFuture()
                    .get(5, TimeUnit.SECONDS);
            throw new AssertionError("the call was not refused");
        } catch (ExecutionException e) {
            return ((TuttiException) Objects.requireNonNull(e.getCause())).code();
        }
    }

    private static DeviceTensor present(@Nullable DeviceTensor tensor) {
        return Objects.requireNonNull(tensor);
    }

    private static DeviceTensor reshaped(@Nullable DeviceTensor maybe) {
        DeviceTensor tensor = present(maybe);
        return new DeviceTensor(tensor.devicePointer(), tensor.dtype(), tensor.tokens() * 2, tensor.hidden() / 2);
    }

    private static void runsRightInANewEpoch(RankGroup group) throws Exception {
        EpochId epoch = group.form(group.plan(null));
        for (int i = 0; i < 5; i++) {
            GroupCall.ordinary(group, 1 + 13 * i, 256).run();
        }
        group.end(epoch);
    }

    private static CollectiveException failureOf(CompletionStage<Completion> stage) throws Exception {
        try {
            stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
            throw new AssertionError("the call succeeded");
        } catch (ExecutionException e) {
            return (CollectiveException) Objects.requireNonNull(e.getCause());
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the condition did not come true in time");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
