package io.tutti.actors.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochHistoryTest {

    private final EpochHistory history = new EpochHistory();

    @Test
    void theFirstEpochIsNeitherARestartNorADowngradeWhateverItsNumberAndPath() {
        committed(7, PathKind.P2P, "a", "b");
        counts(0, 0);
    }

    @Test
    void everyRankInAnotherProcessThanBeforeIsARestart() {
        committed(1, PathKind.P2P, "a", "a", "b");
        committed(2, PathKind.P2P, "c", "c", "b");
        counts(2, 0);
        committed(3, PathKind.P2P, "c", "c", "d");
        counts(3, 0);
    }

    @Test
    void everyStepToALowerPathIsADowngradeAndNoneBack() {
        committed(1, PathKind.NVLS, "a");
        committed(2, PathKind.P2P, "a");
        committed(3, PathKind.NVLS, "a");
        committed(4, PathKind.P2P, "a");
        committed(5, PathKind.P2P, "a");
        counts(0, 2);
    }

    private void committed(long epoch, PathKind path, String... processes) {
        EpochPlan plan = new EpochPlan(
                path, Map.of(), new WorkspaceSpec(processes.length, 1024, 1024), 1, Optional.empty(), List.of());
        history.committed(new CommittedEpoch(new EpochId(new Term(1, "test"), epoch), plan, List.of(processes)));
    }

    private void counts(int restarts, int downgrades) {
        assertThat(history.restarts()).as("restarts").isEqualTo(restarts);
        assertThat(history.downgrades()).as("downgrades").isEqualTo(downgrades);
    }
}
