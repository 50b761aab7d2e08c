package io.tutti.actors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultsTest {

    @ParameterizedTest
    @EnumSource(Faults.class)
    void aDeliberateFaultIsFoundAmongTheSchedulesOfAnOrdinaryBuild(Faults fault) {
        assertThat(found(fault)).as("a schedule breaks a promise with " + fault).isTrue();
    }

    private static boolean found(Faults fault) {
        for (long seed = 0; seed < SimulationTest.ORDINARY; seed++) {
            try {
                new Simulation(seed, fault, null).run();
            } catch (BrokenPromise expected) {
                return true;
            }
        }
        return false;
    }
}
