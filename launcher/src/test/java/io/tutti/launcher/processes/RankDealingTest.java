package io.tutti.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RankDealingTest {

    @Test
    void blocksAreContiguousAndTheFirstAreTheLarger() {
        assertThat(RankDealing.deal(6, 3)).containsExactly(List.of(0, 1), List.of(2, 3), List.of(4, 5));
        assertThat(RankDealing.deal(7, 2)).containsExactly(List.of(0, 1, 2, 3), List.of(4, 5, 6));
        assertThat(RankDealing.deal(1, 1)).containsExactly(List.of(0));
    }

    @Test
    void everyRankIsDealtOnceAndEveryProcessGetsItsShare() {
        for (int world = 1; world <= 72; world++) {
            for (int processes = 1; processes <= world; processes++) {
                List<List<Integer>> blocks = RankDealing.deal(world, processes);
                assertThat(blocks.stream().flatMap(List::stream))
                        .containsExactlyElementsOf(
                                IntStream.range(0, world).boxed().toList());
                int smallest = blocks.stream().mapToInt(List::size).min().orElseThrow();
                int largest = blocks.stream().mapToInt(List::size).max().orElseThrow();
                assertThat(largest - smallest).isLessThanOrEqualTo(1);
                assertThat(smallest).isPositive();
            }
        }
    }

    @Test
    void aProcessWithoutARankIsRefused() {
        assertThatThrownBy(() -> RankDealing.deal(2, 3)).hasMessageContaining("worldSize=2 processes=3");
        assertThatThrownBy(() -> RankDealing.deal(2, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
