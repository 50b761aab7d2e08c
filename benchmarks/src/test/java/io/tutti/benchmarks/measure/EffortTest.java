package io.tutti.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffortTest {

    @ParameterizedTest
    @CsvSource({"16384, 2000", "1048576, 256", "16777216, 50", "9000000000, 50"})
    void largerTensorsGetFewerOperations(long bytes, int iterations) {
        assertThat(Effort.of(OptionalInt.empty(), bytes).iterations()).isEqualTo(iterations);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 7, 100, 101, 2000})
    void theRoundsTogetherAreWhatWasAskedFor(int asked) {
        Effort effort = Effort.of(OptionalInt.of(asked), 16384);
        assertThat(IntStream.range(0, effort.rounds()).map(effort::iterationsOf))
                .allMatch(iterations -> iterations >= 1)
                .satisfies(
                        each -> assertThat(each.stream().mapToInt(i -> i).sum()).isEqualTo(asked));
        assertThat(IntStream.range(0, effort.rounds()).map(effort::warmUpOf)).allMatch(warmUp -> warmUp >= 3);
    }
}
