package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
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
import org.junit.jupiter.api.Test;

/** Calls inside graphs that a caller captures, instantiates and launches itself. */
final class CallerGraphTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** One rank's graph: a call, the caller's own copy of its result, and another call. */
    private static final class Captured implements AutoCloseable {

        final CuStream stream;
        final CallerGraph calls;
        final CuGraphExec exec;
        private final RankGroup group;
        private final int rank;

        Captured(RankGroup group, int rank, List<FusedAllReduce> requests, DeviceTensor copy) {
            this.group = group;
            this.rank = rank;
            stream = group.stream(rank);
            calls = group.ranks.get(rank).callerGraph();
            Driver driver = group.driver;
            driver.streamBeginCapture(stream);
            for (FusedAllReduce request : requests) {
                calls.add(request, stream);
                DeviceTensor out = Objects.requireNonNull(request.normOut());
                driver.memcpyDtoDAsync(copy.devicePointer(), out.devicePointer(), out.bytes(), stream);
            }
            CuGraph graph = driver.streamEndCapture(stream);
            calls.captured();
            exec = driver.graphInstantiate(graph);
            driver.graphDestroy(graph);
        }

        CompletionStage<Completion> launch() {
            return calls.launch(stream, () -> group.driver.graphLaunch(exec, stream));
        }

        @Override
        public void close() {
            group.useDevice(rank);
            assertThat(group.driver.streamSynchronize(stream, LONG.toNanos())).isTrue();
            group.driver.graphExecDestroy(exec);
            group.driver.streamDestroy(stream);
            calls.close();
        }
    }

    @Test
    void launchesTakeTheirPlaceAmongTheRanksOtherCalls() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall large = GroupCall.ordinary(group, 33, 512);
            GroupCall small = GroupCall.ordinary(group, 2, 512);
            List<DeviceTensor> copies = new ArrayList<>();
            List<Captured> graphs = capture(group, List.of(large, small), copies);
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            for (int round = 0; round < 12; round++) {
                graphs.forEach(graph -> stages.add(graph.launch()));
                if (round % 4 == 0) {
                    stages.addAll(small.submit());
                }
            }
            GroupCall.await(stages);
            graphs.forEach(Captured::close);
            large.verify();
            small.verify();
            for (int rank = 0; rank < 2; rank++) {
                DeviceTensor last =
                        Objects.requireNonNull(small.requests.get(rank).normOut());
                int bytes = (int) last.bytes();
                assertThat(group.download(rank, copies.get(rank)).slice(0, bytes))
                        .isEqualTo(group.download(rank, last));
            }
            group.end(epoch);
        }
    }

    @Test
    void aGraphOfAnEarlierEpochIsRefusedAsStaleUntilItIsCapturedAgain() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId first = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 4, 256);
            List<Captured> old = capture(group, List.of(call), new ArrayList<>());
            assertThat(old.get(0).calls.isStale()).isFalse();
            group.end(first);
            assertThat(old.get(0).calls.isStale()).isTrue();
            EpochId second = group.form(group.plan(null));
            old.forEach(graph -> assertRefused(ErrorCode.STALE, graph::launch));
            old.forEach(Captured::close);
            List<Captured> again = capture(group, List.of(call), new ArrayList<>());
            List<CompletionStage<Completion>> stages = new ArrayList<>();
            again.forEach(graph -> stages.add(graph.launch()));
            GroupCall.await(stages);
            call.verify();
            again.forEach(Captured::close);
            group.end(second);
        }
    }

    @Test
    void twoGraphsAtOnceAreRefused() throws Exception {
        try (RankGroup group = new RankGroup(1, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 4, 256);
            FusedAllReduce request = call.requests.get(0);
            CuStream one = group.stream(0);
            CuStream other = group.stream(0);
            CallerGraph first = group.ranks.get(0).callerGraph();
            CallerGraph second = group.ranks.get(0).callerGraph();
            assertRefused(ErrorCode.USAGE, () -> first.add(request, one));
            group.driver.streamBeginCapture(one);
            group.driver.streamBeginCapture(other);
            first.add(request, one);
            assertRefused(ErrorCode.USAGE, () -> second.add(request, other));
            assertRefused(ErrorCode.USAGE, () -> first.add(request, other));
            first.captured();
            second.add(request, other);
            group.driver.graphDestroy(group.driver.streamEndCapture(one));
            group.driver.graphDestroy(group.driver.streamEndCapture(other));
            second.captured();
            group.driver.streamDestroy(one);
            try (Captured graph = new Captured(group, 0, List.of(request), group.allocate(0, DType.FP32, 4, 256))) {
                CompletionStage<Completion> nested = graph.calls.launch(graph.stream, () -> {
                    assertRefused(ErrorCode.USAGE, graph::launch);
                    assertRefused(ErrorCode.USAGE, () -> group.ranks.get(0).submit(request, other));
                    group.driver.graphLaunch(graph.exec, graph.stream);
                });
                GroupCall.await(List.of(nested));
            }
            group.driver.streamDestroy(other);
            call.verify();
            group.end(epoch);
        }
    }

    @Test
    void kernelsThatWereLaunchedPastTheRankAreNeverTakenForItsOwn() throws Exception {
        try (RankGroup group = new RankGroup(1, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 4, 256);
            List<Captured> graphs = capture(group, List.of(call), new ArrayList<>());
            Captured graph = graphs.get(0);
            group.useDevice(0);
            group.driver.graphLaunch(graph.exec, graph.stream);
            assertThat(group.driver.streamSynchronize(graph.stream, LONG.toNanos()))
                    .isTrue();
            assertThatThrownBy(() -> GroupCall.await(call.submit())).hasMessageContaining("UserGraph.launch");
            assertRefused(ErrorCode.USAGE, graph::launch);
            graph.close();
            group.end(epoch);
        }
    }

    @Test
    void aLaunchThatFailsInTheCallersCodeFailsItsCallsAndTheEpochWithThem() throws Exception {
        try (RankGroup group = new RankGroup(2, LONG)) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall call = GroupCall.ordinary(group, 4, 256);
            List<Captured> graphs = capture(group, List.of(call), new ArrayList<>());
            CompletionStage<Completion> failed = graphs.get(0).calls.launch(graphs.get(0).stream, () -> {
                throw new IllegalStateException("the caller's own");
            });
            assertThatThrownBy(() -> failed.toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("the caller's own");
            assertThat(group.failures).hasSize(1);
            graphs.forEach(Captured::close);
            assertRefused(ErrorCode.CLOSED, graphs.get(0)::launch);
            group.end(epoch);
        }
    }

    private static List<Captured> capture(RankGroup group, List<GroupCall> calls, List<DeviceTensor> copies) {
        List<Captured> graphs = new ArrayList<>();
        for (int rank = 0; rank < group.ranks.size(); rank++) {
            int self = rank;
            DeviceTensor like = calls.get(0).requests.get(rank).partial();
            DeviceTensor copy = group.allocate(rank, like.dtype(), like.tokens(), like.hidden());
            copies.add(copy);
            List<FusedAllReduce> requests =
                    calls.stream().map(call -> call.requests.get(self)).toList();
            graphs.add(new Captured(group, rank, requests, copy));
        }
        return graphs;
    }

    private static void assertRefused(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        TuttiException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
