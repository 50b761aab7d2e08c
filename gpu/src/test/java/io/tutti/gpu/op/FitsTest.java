package io.tutti.gpu.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.workspace.StageTuning;
import io.tutti.gpu.workspace.WorkspaceLayout;
import io.tutti.gpu.workspace.WorkspaceSpec;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How calls are cut. */
final class FitsTest {

    @Test
    void everyValidCallFitsEveryWorkspaceAndItsChunksCoverItOnce() {
        for (long seed = 0; seed < 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int world = 1 + random.nextInt(WorkspaceLayout.MAX_WORLD);
            WorkspaceSpec spec =
                    WorkspaceSpecs.forBudget(world, 0, random.nextBoolean() ? StageTuning.HOST : StageTuning.CUDA);
            long hidden = 8L * (1 + random.nextInt(8192));
            long tokens = 1L + random.nextInt(1 << random.nextInt(1, 20));
            DType dtype = DType.values()[random.nextInt(3)];
            LaunchPlan plan = Fits.plan(spec, Optional.empty(), tokens, hidden, dtype);
            long covered = 0;
            long capacity = plan.algorithm() == Algorithm.ONE_SHOT ? spec.oneShotBytes() : spec.twoShotBytes();
            for (int launch = 0; launch < plan.launches(); launch++) {
                assertThat(plan.firstToken(launch)).as("seed=%d", seed).isEqualTo(covered);
                long part = plan.tokens(launch, tokens);
                assertThat(part).as("seed=%d", seed).isPositive();
                assertThat(part * hidden * dtype.bytes()).as("seed=%d", seed).isLessThanOrEqualTo(capacity);
                covered += part;
            }
            assertThat(covered).as("seed=%d", seed).isEqualTo(tokens);
        }
    }

    @Test
    void aForcedAlgorithmIsKeptOrRefused() {
        WorkspaceSpec spec = new WorkspaceSpec(4, 1024, 1 << 20);
        assertThat(Fits.plan(spec, Optional.of(Algorithm.TWO_SHOT), 1, 64, DType.FP32)
                        .algorithm())
                .isEqualTo(Algorithm.TWO_SHOT);
        assertThat(Fits.plan(spec, Optional.of(Algorithm.ONE_SHOT), 100, 64, DType.FP32))
                .isEqualTo(new LaunchPlan(Algorithm.ONE_SHOT, 4, 25));
        assertThatThrownBy(() -> Fits.plan(spec, Optional.of(Algorithm.ONE_SHOT), 1, 264, DType.FP32))
                .isInstanceOfSatisfying(TuttiException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.USAGE);
                    assertThat(e).hasMessageContaining("rowBytes=1056").hasMessageContaining("capacity=1024");
                });
    }

    @Test
    void tooManyLaunchesAreRefused() {
        WorkspaceSpec spec = new WorkspaceSpec(4, 1024, 1024);
        assertThatThrownBy(() -> Fits.plan(spec, Optional.empty(), 1L << 40, 256, DType.FP32))
                .isInstanceOfSatisfying(
                        TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.USAGE));
    }
}
