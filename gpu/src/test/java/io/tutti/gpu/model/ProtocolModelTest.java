package io.tutti.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.model.Explorer.Result;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bounded by states; the wall-clock limit is only for machines that do much else. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ProtocolModelTest {

    private static final Logger LOG = LoggerFactory.getLogger(ProtocolModelTest.class);

    private static final int MOST_STATES = 1_000_000;
    private static final int MOST_STATES_NIGHTLY = 12_000_000;

    @ParameterizedTest
    @MethodSource("io.tutti.gpu.model.Scenarios#small")
    void everyOrderOfStoresAndStepsOfASmallScenarioKeepsEveryPromise(Scenario scenario) {
        assertRight(scenario, false, MOST_STATES);
    }

    @ParameterizedTest
    @MethodSource("io.tutti.gpu.model.Scenarios#ordinary")
    void everyOrderThatMattersKeepsEveryPromise(Scenario scenario) {
        assertRight(scenario, true, MOST_STATES);
    }

    @ParameterizedTest
    @MethodSource("io.tutti.gpu.model.Scenarios#nightly")
    @Tag("nightly")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everyOrderThatMattersInALargeScenarioKeepsEveryPromise(Scenario scenario) {
        assertRight(scenario, true, MOST_STATES_NIGHTLY);
    }

    private static void assertRight(Scenario scenario, boolean reduced, int mostStates) {
        Result result = Explorer.explore(scenario, Rule.without(), reduced, mostStates);
        LOG.info("{}: states={} steps={}", scenario, result.states(), result.depth());
        assertThat(result.isRight()).as(result.report()).isTrue();
    }
}
