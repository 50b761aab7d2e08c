package io.tutti.benchmarks.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandwidthTest {

    /** As nccl-tests: algbw = size / time, busbw = algbw × 2(n − 1)/n. */
    @ParameterizedTest
    @CsvSource({
        "1000000, 1000, 1, 1.0, 0.0",
        "1000000, 1000, 2, 1.0, 1.0",
        "1000000, 1000, 4, 1.0, 1.5",
        "1000000, 500, 8, 2.0, 3.5",
        "16777216, 42.86, 2, 391.442277, 391.442277"
    })
    void bandwidthsFollowTheirDefinitions(long bytes, double micros, int ranks, double algorithm, double bus) {
        Bandwidth bandwidth = Bandwidth.of(bytes, micros, ranks);
        assertThat(bandwidth.algorithm()).isCloseTo(algorithm, org.assertj.core.data.Offset.offset(1e-6));
        assertThat(bandwidth.bus()).isCloseTo(bus, org.assertj.core.data.Offset.offset(1e-6));
    }
}
