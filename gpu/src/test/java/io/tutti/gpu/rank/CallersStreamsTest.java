package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuStream;
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
import org.junit.jupiter.api.Test;

/** Calls on a caller's own streams, among its own work. */
final class CallersStreamsTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int NOT_A_NUMBER = 0x7fc00000;

    @Test
    void aCallStandsBetweenTheWorkBeforeItAndBehindItOnTheStream() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 16, 512);
            List<CuStream> streams = new ArrayList<>();
            List<DeviceTensor> copies = new ArrayList<>();
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                CuStream stream = group.stream(rank);
                FusedAllReduce request = call.requests.get(rank);
                copies.add(group.allocate(rank, DType.FP32, 16, 512));
                spoilAndRepair(group, stream, request.partial(), group.allocate(rank, DType.FP32, 16, 512));
                stages.add(group.ranks.get(rank).submit(request, stream));
                copy(group, stream, Objects.requireNonNull(request.normOut()), copies.get(rank));
                streams.add(stream);
            }
            for (CuStream stream : streams) {
                assertThat(group.driver.streamSynchronize(stream, LONG.toNanos()))
                        .isTrue();
                group.driver.streamDestroy(stream);
            }
            GroupCall.await(stages);
            call.verify();
            for (int rank = 0; rank < 2; rank++) {
                DeviceTensor normOut =
                        Objects.requireNonNull(call.requests.get(rank).normOut());
                assertThat(group.download(rank, copies.get(rank))).isEqualTo(group.download(rank, normOut));
            }
            group.end(epoch);
        }
    }

    @Test
    void callsOnDifferentStreamsRunOneAfterAnother() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            List<GroupCall> calls = List.of(
                    GroupCall.ordinary(group, 4, 256),
                    GroupCall.ordinary(group, 9, 128),
                    GroupCall.ordinary(group, 2, 64));
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            CuStream first = group.stream(0);
            CuStream second = group.stream(0);
            stages.add(group.ranks.get(0).submit(calls.get(0).requests.get(0), first));
            stages.add(group.ranks.get(0).submit(calls.get(1).requests.get(0), second));
            stages.add(group.ranks.get(0).submit(calls.get(2).requests.get(0)));
            awaitStarted(group, epoch, 1);
            // Nothing but the order keeps the second call from starting now.
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            assertThat(group.ranks.get(1).snapshot(epoch).startedSequences().get(0))
                    .isEqualTo(1);
            for (GroupCall call : calls) {
                stages.add(group.ranks.get(1).submit(call.requests.get(1)));
            }
            GroupCall.await(stages);
            calls.forEach(GroupCall::verify);
            group.driver.streamDestroy(first);
            group.driver.streamDestroy(second);
            group.end(epoch);
        }
    }

    @Test
    void aStreamMayBeDestroyedAsSoonAsTheCallHasReturned() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 8, 256);
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            for (int round = 0; round < 10; round++) {
                for (int rank = 0; rank < 2; rank++) {
                    CuStream stream = group.stream(rank);
                    stages.add(group.ranks.get(rank).submit(call.requests.get(rank), stream));
                    group.driver.streamDestroy(stream);
                }
                if (round % 3 == 0) {
                    stages.addAll(call.submit());
                }
            }
            GroupCall.await(stages);
            call.verify();
            group.end(epoch);
        }
    }

    @Test
    void whatCannotBeLaunchedIsRefusedAtOnceAndHarmsNothing() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            GroupCall call = GroupCall.ordinary(group, 8, 256);
            RankDevice rank = group.ranks.get(0);
            CuStream stream = group.stream(0);
            assertRefused(ErrorCode.STALE, () -> rank.submit(call.requests.get(0), stream));
            EpochId epoch = group.form(group.plan(null));
            assertThatThrownBy(() -> rank.submit(call.requests.get(0), new CuStream(0x5eed)))
                    .isInstanceOf(TuttiException.class)
                    .hasMessageContaining("Pass a stream that is alive");
            group.useDevice(0);
            group.driver.streamBeginCapture(stream);
            assertRefused(ErrorCode.USAGE, () -> rank.submit(call.requests.get(0), stream));
            group.driver.graphDestroy(group.driver.streamEndCapture(stream));
            call.run();
            assertThat(group.failures).isEmpty();
            group.driver.streamDestroy(stream);
            group.end(epoch);
        }
    }

    @Test
    void drainingCoversCallsOnEveryStream() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 8, 256);
            CuStream stream = group.stream(0);
            CompletionStage<Completion> lonely = group.ranks.get(0).submit(call.requests.get(0), stream);
            group.end(epoch);
            assertThat(group.driver.streamQuery(stream)).as("drained").isTrue();
            assertThatThrownBy(() -> lonely.toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class);
            group.driver.streamDestroy(stream);
            EpochId next = group.form(group.plan(null));
            call.run();
            group.end(next);
        }
    }

    private static void assertRefused(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        TuttiException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static void awaitStarted(RankGroup group, EpochId epoch, long sequence) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (group.ranks.get(1).snapshot(epoch).startedSequences().get(0) < sequence) {
            assertThat(System.nanoTime())
                    .as("call %d of rank 0 has not started", sequence)
                    .isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Moves a tensor away and back, so that it is right only for what stands behind on the stream. */
    private static void spoilAndRepair(RankGroup group, CuStream stream, DeviceTensor tensor, DeviceTensor spare) {
        copy(group, stream, tensor, spare);
        group.driver.memsetD32Async(tensor.devicePointer(), NOT_A_NUMBER, tensor.bytes() / Integer.BYTES, stream);
        copy(group, stream, spare, tensor);
    }

    private static void copy(RankGroup group, CuStream stream, DeviceTensor from, DeviceTensor to) {
        group.driver.memcpyDtoDAsync(to.devicePointer(), from.devicePointer(), from.bytes(), stream);
    }
}
