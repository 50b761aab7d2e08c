package io.tutti.actors.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounded by steps and virtual time; the wall-clock limit is only for machines that do much else. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SimulationTest {

    /** Schedules of an ordinary build; the deliberate faults are all found among them. */
    static final int ORDINARY = 20_000;

    private static final int NIGHTLY = 1_000_000;

    @Test
    void everyScheduleEndsCommittedOrFailedAndBreaksNoPromise() {
        String seed = System.getProperty("sim.seed");
        if (seed != null) {
            replay(Long.parseLong(seed));
        } else {
            runAll(0, ORDINARY);
        }
    }

    @Test
    @Tag("nightly")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void aMillionSchedulesBreakNoPromise() {
        runAll(ORDINARY, NIGHTLY);
    }

    /** Seeds that once broke a promise. */
    @ParameterizedTest
    @ValueSource(longs = {647, 3040, 10629, 201551})
    void aScheduleThatOnceFailedPasses(long seed) {
        runAll(seed, 1);
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(trace(seed)).isEqualTo(trace(seed));
        }
    }

    private static List<String> trace(long seed) {
        List<String> lines = new ArrayList<>();
        new Simulation(seed, Cores.PRODUCT, lines::add).run();
        return lines;
    }

    private static void runAll(long first, int count) {
        for (long seed = first; seed < first + count; seed++) {
            try {
                new Simulation(seed, Cores.PRODUCT, null).run();
            } catch (RuntimeException e) {
                fail("seed " + seed + ": " + e.getMessage() + "\nreplay with: " + command(seed), e);
            }
        }
    }

    private static String command(long seed) {
        return "./mvnw -pl actors -am test -Dtest=SimulationTest#everyScheduleEndsCommittedOrFailedAndBreaksNoPromise"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dsim.seed=" + seed;
    }

    /** Prints everything that happens, and fails as the schedule does. */
    private static void replay(long seed) {
        new Simulation(seed, Cores.PRODUCT, System.out::println).run();
    }
}
