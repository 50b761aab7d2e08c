package io.tutti.actors.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.config.Topologies;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EmulatedMachineTest {

    private static final List<Integer> ALL = IntStream.range(0, 8).boxed().toList();

    private static EmulatedMachine machine(Topology topology) {
        return new EmulatedMachine(topology, FaultPlan.none(), false);
    }

    @Test
    void everyHostHasADriverOfItsOwnThatItsRanksShare() {
        try (EmulatedMachine machine = machine(Topologies.load("gb200-nvl72-2x4", OptionalLong.of(1 << 20)))) {
            List<RankDrivers.Place> places =
                    ALL.stream().map(rank -> machine.place(ALL, rank)).toList();
            assertThat(places).extracting(RankDrivers.Place::device).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
            assertThat(places.subList(0, 4))
                    .extracting(RankDrivers.Place::driver)
                    .containsOnly(places.get(0).driver());
            assertThat(places.subList(4, 8))
                    .extracting(RankDrivers.Place::driver)
                    .containsOnly(places.get(4).driver());
            assertThat(places.get(4).driver()).isNotEqualTo(places.get(0).driver());
            assertThat(places.get(0).host()).isEqualTo(HostIdentity.emulated("gb200-nvl72-2x4", 0, "node-0"));
            assertThat(places.get(7).host()).isEqualTo(HostIdentity.emulated("gb200-nvl72-2x4", 1, "node-1"));
        }
    }

    @Test
    void theLocalMachineIsThisHost() {
        try (EmulatedMachine machine = machine(Topology.local(2, 1 << 20))) {
            assertThat(machine.place(ALL, 1).host()).isEqualTo(HostIdentity.current());
        }
    }
}
