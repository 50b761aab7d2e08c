package io.tutti.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperationTimesTest {

    @Test
    void theMedianOfAnOddNumberIsTheMiddleOne() {
        assertThat(median(9_000, 1_000, 2_000)).isEqualTo(2.0);
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(median(4_000, 1_000, 2_000, 90_000)).isEqualTo(3.0);
    }

    @Test
    void itIsGivenToAHundredthOfAMicrosecond() {
        assertThat(median(1_234_567)).isEqualTo(1234.57);
    }

    private static double median(long... nanos) {
        OperationTimes times = new OperationTimes(nanos.length);
        for (long duration : nanos) {
            times.add(duration);
        }
        return times.medianMicros();
    }
}
