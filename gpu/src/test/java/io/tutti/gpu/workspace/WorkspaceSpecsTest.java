package io.tutti.gpu.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a budget becomes. */
final class WorkspaceSpecsTest {

    private static final List<StageTuning> TUNINGS = List.of(StageTuning.HOST, StageTuning.CUDA);

    @Test
    void staysWithinTheBudgetAndGrowsWithIt() {
        for (StageTuning tuning : TUNINGS) {
            for (int world = 1; world <= WorkspaceLayout.MAX_WORLD; world++) {
                SplittableRandom random = new SplittableRandom(world);
                WorkspaceSpec before = null;
                long budget = 4L << 20;
                while (budget < 4L << 30) {
                    WorkspaceSpec spec = WorkspaceSpecs.forBudget(world, budget, tuning);
                    String what = "world=" + world + " budget=" + budget + " " + spec + " before " + before;
                    assertThat(WorkspaceLayout.of(spec).totalBytes()).as(what).isLessThanOrEqualTo(budget);
                    if (before != null) {
                        assertThat(spec.oneShotBytes()).as(what).isGreaterThanOrEqualTo(before.oneShotBytes());
                        assertThat(spec.twoShotBytes()).as(what).isGreaterThanOrEqualTo(before.twoShotBytes());
                    }
                    before = spec;
                    budget += 1 + random.nextLong(budget / 4);
                }
            }
        }
    }

    @Test
    void anyBudgetCarriesOneTokenOfTheLargestHiddenSize() {
        for (StageTuning tuning : TUNINGS) {
            for (int world = 1; world <= WorkspaceLayout.MAX_WORLD; world++) {
                WorkspaceSpec spec = WorkspaceSpecs.forBudget(world, 0, tuning);
                assertThat(spec.twoShotBytes()).isGreaterThanOrEqualTo(65_536L * 4);
                assertThat(WorkspaceLayout.of(spec).totalBytes() * world).isLessThanOrEqualTo(256L << 20);
            }
        }
    }

    @Test
    void refusesABudgetThatIsTooSmallNamingBothFigures() {
        assertThatThrownBy(() -> WorkspaceSpecs.forBudget(2, 1 << 20, StageTuning.HOST))
                .isInstanceOfSatisfying(TuttiException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.CONFIGURATION);
                    assertThat(e).hasMessageContaining("budget=1048576").hasMessageContaining("needed=");
                });
    }
}
