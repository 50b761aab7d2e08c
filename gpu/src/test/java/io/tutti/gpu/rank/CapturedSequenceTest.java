package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.numerics.Payload;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A sequence captured once runs as often as it is replayed, within its epoch. */
final class CapturedSequenceTest {

    @Test
    void replaysGiveTheSameBitsAsSubmissions() throws Exception {
        try (RankGroup group = new RankGroup(3, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(group.plan(null));
            GroupCall small = call(group, 1);
            GroupCall large = call(group, 300);
            List<CapturedSequence> sequences = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                List<FusedAllReduce> calls =
                        List.of(small.requests.get(rank), large.requests.get(rank), small.requests.get(rank));
                sequences.add(group.ranks.get(rank).capture(calls));
            }
            for (int round = 0; round < 20; round++) {
                List<CompletionStage<Completion>> stages = new ArrayList<>();
                sequences.forEach(sequence -> stages.add(sequence.replay()));
                if (round % 3 == 0) {
                    stages.addAll(small.submit());
                }
                GroupCall.await(stages);
            }
            small.verify();
            large.verify();
            sequences.forEach(CapturedSequence::close);
            sequences.forEach(CapturedSequence::close);
            group.end(epoch);
        }
    }

    @Test
    void aGraphOfAnEarlierEpochIsRefusedAsStale() throws Exception {
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId first = group.form(group.plan(null));
            GroupCall call = call(group, 2);
            CapturedSequence sequence = group.ranks.get(0).capture(List.of(call.requests.get(0)));
            group.end(first);
            EpochId second = group.form(group.plan(null));
            assertThatThrownBy(() -> sequence.replay().toCompletableFuture().get(5, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            ExecutionException.class,
                            e -> assertThat(((TuttiException) Objects.requireNonNull(e.getCause())).code())
                                    .isEqualTo(ErrorCode.STALE));
            // Even when the graph is launched past the host's check, the kernel leaves before it touches anything.
            call.run();
            PadSnapshot before = group.ranks.get(1).snapshot(second);
            CompletionStage<Completion> forced = new CapturedSequence(
                            sequence.submitter(), second, sequence.prepared(), sequence.calls(), sequence.launches())
                    .replay();
            group.ranks.get(0).quiesce(Duration.ofSeconds(5).toNanos());
            assertThat(group.failures).hasSize(1).allMatch(failure -> failure.status() == StatusCode.STALE);
            assertThat(group.ranks.get(1).snapshot(second)).isEqualTo(before);
            assertThat(forced.toCompletableFuture()).isNotDone();
            sequence.close();
            group.end(second);
        }
    }

    private static GroupCall call(RankGroup group, int tokens) {
        return new GroupCall(group, DType.BF16, Epilogue.RESIDUAL_RMSNORM, tokens, 256, Payload.ORDINARY, tokens, 1);
    }
}
