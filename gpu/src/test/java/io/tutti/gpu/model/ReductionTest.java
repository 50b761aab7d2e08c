package io.tutti.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the reduced machine leaves out has no consequences: with and without a rule, both machines find the same. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ReductionTest {

    private static final int MOST_STATES = 1_000_000;

    @Test
    void bothMachinesFindTheProtocolRight() {
        assertAgree(Rule.without());
    }

    @ParameterizedTest
    @EnumSource(value = Rule.class, mode = EnumSource.Mode.EXCLUDE, names = "CLEARED_BEHIND_READING")
    void theReducedMachineFindsWhatTheWholeMachineFinds(Rule missing) {
        assertAgree(Rule.without(missing));
    }

    private static void assertAgree(Set<Rule> rules) {
        for (Scenario scenario : Scenarios.tiny()) {
            boolean whole =
                    Explorer.explore(scenario, rules, false, MOST_STATES).isRight();
            boolean reduced =
                    Explorer.explore(scenario, rules, true, MOST_STATES).isRight();
            assertThat(reduced).as(scenario.name()).isEqualTo(whole);
        }
    }
}
