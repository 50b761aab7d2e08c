package io.tutti.gpu.numerics.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RelativeErrorTest {
    private final RelativeError error = new RelativeError();

    @Test
    void theErrorIsTheRatioOfTheNorms() {
        error.add(3, 3.3);
        error.add(4, 3.6);
        assertThat(error.relative()).isCloseTo(0.1, within(1e-15));
    }

    @Test
    void nothingAndOnlyZerosAreWithoutError() {
        assertThat(error.relative()).isZero();
        error.add(0, 0);
        error.add(0, -0.0);
        assertThat(error.relative()).isZero();
    }

    @Test
    void anErrorAgainstZerosIsInfinite() {
        error.add(0, 1e-30);
        assertThat(error.relative()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void equalKindsOfNonFiniteAgreeAndAreLeftOut() {
        error.add(Double.NaN, Double.NaN);
        error.add(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        error.add(1, 1);
        assertThat(error.relative()).isZero();
        assertThat(error.kindMismatches()).isZero();
    }

    @Test
    void differentKindsMakeTheErrorInfinite() {
        error.add(1, 1);
        error.add(1, Double.NaN);
        error.add(Double.POSITIVE_INFINITY, 7);
        error.add(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        error.add(Double.NaN, Double.POSITIVE_INFINITY);
        assertThat(error.kindMismatches()).isEqualTo(4);
        assertThat(error.relative()).isEqualTo(Double.POSITIVE_INFINITY);
    }
}
