package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.numerics.LamportSentinel;
import io.tutti.gpu.numerics.Payload;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers read a partial from the stage in the first call that shows its memory to them, and where it is from then on. */
@Timeout(60)
final class PartialsInPlaceTest {

    private static final int HIDDEN = 256;

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void onlyTheFirstCallCopiesToTheStage(Algorithm algorithm) throws Exception {
        StageRegion region = algorithm == Algorithm.ONE_SHOT ? StageRegion.ONE_SHOT : StageRegion.SCATTER;
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(group.plan(algorithm));
            for (int tokens = 1; tokens <= 3; tokens++) {
                GroupCall.ordinary(group, tokens, HIDDEN).run();
            }
            assertThat(stageIsUsed(group, epoch, region, 1)).isTrue();
            assertThat(stageIsUsed(group, epoch, region, 2)).isFalse();
            assertThat(stageIsUsed(group, epoch, region, 3)).isFalse();
            group.end(epoch);
        }
    }

    @Test
    void anotherMemoryIsCopiedOnceMoreAndTheFirstIsStillKnown() throws Exception {
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(group.plan(Algorithm.ONE_SHOT));
            // Tensors of this size have memory of their own.
            GroupCall large = GroupCall.ordinary(group, 40, 4096);
            GroupCall small = GroupCall.ordinary(group, 1, HIDDEN);
            for (int round = 0; round < 4; round++) {
                large.run();
                small.run();
            }
            group.freeTensors();
            GroupCall.ordinary(group, 50, 4096).run();
            GroupCall.ordinary(group, 1, HIDDEN).run();
            group.end(epoch);
        }
    }

    /** A launch is cut where its stage ends; each piece is a place of its own. */
    @ParameterizedTest
    @EnumSource(DType.class)
    void allTypesInManyPieces(DType dtype) throws Exception {
        try (RankGroup group = new RankGroup(3, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(group.plan(Algorithm.ONE_SHOT));
            GroupCall call = new GroupCall(group, dtype, Epilogue.RESIDUAL_RMSNORM, 150, 2048, Payload.ORDINARY, 7, 0);
            call.run();
            call.run();
            group.end(epoch);
        }
    }

    /** Whether the call of {@code tokens} tokens, which was also the call of that number, copied rank 0's partial. */
    private static boolean stageIsUsed(RankGroup group, EpochId epoch, StageRegion region, int tokens) {
        // Of a two-shot only the peer's slice is copied, which is the second half.
        long copied = region == StageRegion.SCATTER ? (long) tokens * HIDDEN / 2 * Float.BYTES : 0;
        return group.peek(0, epoch, layout -> layout.slot(region, tokens % WorkspaceLayout.STAGES, 0) + copied)
                != LamportSentinel.WORD;
    }
}
