package io.tutti.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestNameTest {

    @Test
    void each_slip_of_the_fingers_costs_one() {
        assertThat(NearestName.distance("port", "port")).isZero();
        assertThat(NearestName.distance("port", "prot")).isEqualTo(1);
        assertThat(NearestName.distance("port", "por")).isEqualTo(1);
        assertThat(NearestName.distance("port", "pport")).isEqualTo(1);
        assertThat(NearestName.distance("port", "part")).isEqualTo(1);
        assertThat(NearestName.distance("", "port")).isEqualTo(4);
    }

    @Test
    void the_closest_name_is_suggested_and_nothing_that_is_far_away() {
        List<String> names = List.of("world-size", "ranks", "paths");

        assertThat(NearestName.among(names, "rank")).contains("ranks");
        assertThat(NearestName.among(names, "worldsize")).contains("world-size");
        assertThat(NearestName.among(names, "colour")).isEmpty();
        assertThat(NearestName.among(names, "x")).isEmpty();
    }
}
