package io.tutti.benchmarks.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    void theMedianOfAnOddNumberIsTheMiddleOneAndOfAnEvenNumberTheMeanOfTwo() {
        assertThat(Samples.of(5000, 1000, 3000).medianMicros()).isEqualTo(3.0);
        assertThat(Samples.of(5000, 1000, 3000, 4000).medianMicros()).isEqualTo(3.5);
    }

    @Test
    void ninetyNinePercentAreNotAboveP99() {
        assertThat(Samples.of(LongStream.rangeClosed(1, 100).map(i -> i * 1000).toArray())
                        .p99Micros())
                .isEqualTo(99.0);
        assertThat(Samples.of(LongStream.rangeClosed(1, 101).map(i -> i * 1000).toArray())
                        .p99Micros())
                .isEqualTo(100.0);
        assertThat(Samples.of(7000).p99Micros()).isEqualTo(7.0);
    }

    @Test
    void theSlowestRankCountsInEachIteration() {
        Samples slowest = Samples.slowest(List.of(Samples.of(1000, 5000, 2000), Samples.of(4000, 1000, 3000)));
        assertThat(slowest.count()).isEqualTo(3);
        assertThat(slowest.medianMicros()).isEqualTo(4.0);
        assertThat(slowest.p99Micros()).isEqualTo(5.0);
    }

    @Test
    void ranksWithDifferentNumbersOfIterationsAreRefused() {
        assertThatThrownBy(() -> Samples.slowest(List.of(Samples.of(1), Samples.of(1, 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("first=1 other=2");
    }

    @Test
    void roundsAreJoined() {
        assertThat(Samples.NONE.and(Samples.of(1000)).and(Samples.of(3000)).medianMicros())
                .isEqualTo(2.0);
        assertThat(Samples.NONE.medianMicros()).isNaN();
        assertThat(Samples.NONE.p99Micros()).isNaN();
    }

    @Test
    void laterChangesToAnArrayDoNotReachTheSamples() {
        long[] nanos = {1000};
        Samples samples = Samples.of(nanos);
        nanos[0] = 9000;
        assertThat(samples.medianMicros()).isEqualTo(1.0);
    }

    @Test
    void meansTakeWholeGroupsAlone() {
        assertThat(Samples.of(1, 2, 3, 10, 20, 30, 99).means(3).nanos()).containsExactly(2, 20);
        assertThat(Samples.of(7, 8).means(1).nanos()).containsExactly(7, 8);
        assertThat(Samples.of(7, 8).means(3).count()).isZero();
    }
}
