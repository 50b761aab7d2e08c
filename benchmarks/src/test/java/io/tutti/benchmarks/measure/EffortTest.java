package io.tutti.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffortTest {

    @ParameterizedTest
    @CsvSource({
        "16384, 1, 2000",
        "1048576, 1, 256",
        "16777216, 1, 50",
        "9000000000, 1, 50",
        "16384, 50, 40",
        "1048576, 50, 6",
        "16777216, 10, 5"
    })
    void largerTensorsGetFewerLaunches(long bytes, int together, int launches) {
        assertThat(Effort.of(OptionalInt.empty(), bytes, together).launches()).isEqualTo(launches);
    }

    @ParameterizedTest
    @CsvSource({"1, 50, 1", "50, 50, 1", "51, 50, 2", "10, 1, 10"})
    void whatIsAskedForIsRoundedUpToWholeLaunches(int asked, int together, int launches) {
        assertThat(Effort.of(OptionalInt.of(asked), 16384, together).launches()).isEqualTo(launches);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 7, 100, 101, 2000})
    void theRoundsTogetherAreWhatWasAskedFor(int asked) {
        Effort effort = Effort.of(OptionalInt.of(asked), 16384, 1);
        assertThat(IntStream.range(0, effort.rounds()).map(effort::launchesOf))
                .allMatch(iterations -> iterations >= 1)
                .satisfies(
                        each -> assertThat(each.stream().mapToInt(i -> i).sum()).isEqualTo(asked));
        assertThat(IntStream.range(0, effort.rounds()).map(effort::warmUpOf)).allMatch(warmUp -> warmUp >= 3);
    }
}
