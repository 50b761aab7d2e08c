package io.tutti.actors.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RealMachineTest {

    private static List<Integer> devices(List<Integer> here, int devices) {
        return here.stream()
                .map(rank -> RealMachine.device(here, rank, devices))
                .toList();
    }

    @Test
    void aProcessThatSeesTheWholeHostGoesByTheRanksNumber() {
        assertThat(devices(List.of(0, 1, 2, 3), 4)).containsExactly(0, 1, 2, 3);
        assertThat(devices(List.of(2, 3), 4)).containsExactly(2, 3);
        assertThat(devices(List.of(4, 5, 6, 7), 4)).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aProcessThatSeesItsOwnDevicesOnlyGoesByThePlaceOfTheRank() {
        assertThat(devices(List.of(1), 1)).containsExactly(0);
        assertThat(devices(List.of(1, 3), 2)).containsExactly(0, 1);
    }

    @Test
    void ranksShareInTurnWhereDevicesAreFew() {
        assertThat(devices(List.of(0, 1, 2), 2)).containsExactly(0, 1, 0);
        assertThat(devices(List.of(0, 1, 2, 3), 1)).containsExactly(0, 0, 0, 0);
    }
}
