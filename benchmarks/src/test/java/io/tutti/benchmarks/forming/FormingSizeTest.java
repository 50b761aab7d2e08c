package io.tutti.benchmarks.forming;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormingSizeTest {

    @Test
    void aNumberIsOneCommunicatorAndTwoAreManyOfThatSize() {
        assertThat(FormingSize.parse("72")).contains(new FormingSize(1, 72));
        FormingSize many = FormingSize.parse("36x8").orElseThrow();
        assertThat(many).isEqualTo(new FormingSize(36, 8));
        assertThat(many.allRanks()).isEqualTo(288);
        assertThat(many.describe()).isEqualTo("36x8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "73", "0x8", "73x8", "8x", "x8", "8x8x8", "-1", "1000000000x8"})
    void everythingElseIsNone(String text) {
        assertThat(FormingSize.parse(text)).isEmpty();
    }
}
