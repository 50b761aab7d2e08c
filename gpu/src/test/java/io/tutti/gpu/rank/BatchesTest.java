package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.numerics.Payload;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long calls go in chunks, and no token depends on its neighbours. */
final class BatchesTest {

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void theFirstTokensOfALargeBatchEqualTheSameTokensAlone(Algorithm algorithm) throws Exception {
        try (RankGroup group = new RankGroup(3, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(group.plan(algorithm));
            GroupCall batch =
                    new GroupCall(group, DType.BF16, Epilogue.RESIDUAL_RMSNORM, 1500, 512, Payload.ORDINARY, 5, 0);
            batch.run();
            for (int tokens : new int[] {1, 2, 7, 64, 513}) {
                List<CompletionStage<Completion>> stages = new ArrayList<>();
                List<FusedAllReduce> alone = new ArrayList<>();
                for (int rank = 0; rank < 3; rank++) {
                    FusedAllReduce whole = batch.requests.get(rank);
                    FusedAllReduce part = FusedAllReduce.of(
                                    first(whole.partial(), tokens),
                                    first(whole.residual(), tokens),
                                    Objects.requireNonNull(whole.gamma()))
                            .into(
                                    group.allocate(rank, DType.BF16, tokens, 512),
                                    group.allocate(rank, DType.BF16, tokens, 512));
                    alone.add(part);
                    stages.add(group.ranks.get(rank).submit(part));
                }
                GroupCall.await(stages);
                for (int rank = 0; rank < 3; rank++) {
                    assertThat(bytes(group, rank, alone.get(rank).normOut()))
                            .isEqualTo(
                                    bytes(group, rank, batch.requests.get(rank).normOut())
                                            .slice(0, tokens * 512 * 2));
                }
            }
            group.end(epoch);
        }
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void callsBeyondTheWorkspaceGoInNumberedChunks(Algorithm algorithm) throws Exception {
        WorkspaceSpec small = new WorkspaceSpec(3, 4096, 4096);
        try (RankGroup group = new RankGroup(3, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(RankGroup.plan(small, algorithm));
            GroupCall call = GroupCall.ordinary(group, 45, 256);
            Completion done = call.submit().get(0).toCompletableFuture().get(60, TimeUnit.SECONDS);
            assertThat(done.launches()).isEqualTo(12);
            assertThat(done.sequence()).isEqualTo(12);
            assertThat(done.algorithm()).isEqualTo(algorithm);
            GroupCall.await(call.submit());
            call.verify();
            group.end(epoch);
        }
    }

    @Test
    void manyMoreLaunchesThanTheStatusRingHoldsComplete() throws Exception {
        WorkspaceSpec small = new WorkspaceSpec(2, 256, 4096);
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(RankGroup.plan(small, Algorithm.ONE_SHOT));
            GroupCall call = GroupCall.ordinary(group, 6000, 64);
            Thread other = new Thread(() -> group.ranks.get(1).submit(call.requests.get(1)));
            other.start();
            Completion done = group.ranks
                    .get(0)
                    .submit(call.requests.get(0))
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            other.join(Duration.ofSeconds(60).toMillis());
            assertThat(done.launches()).isEqualTo(6000);
            group.each(rank -> rank.quiesce(Duration.ofSeconds(30).toNanos()));
            call.verify();
            group.end(epoch);
        }
    }

    private static DeviceTensor first(@Nullable DeviceTensor tensor, long tokens) {
        DeviceTensor whole = Objects.requireNonNull(tensor);
        return new DeviceTensor(whole.devicePointer(), whole.dtype(), tokens, whole.hidden());
    }

    private static ByteBuffer bytes(RankGroup group, int rank, @Nullable DeviceTensor tensor) {
        return group.download(rank, Objects.requireNonNull(tensor));
    }
}
