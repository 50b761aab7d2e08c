package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopologyPlacesTest {

    @Test
    void ranksTakeTheDevicesHostByHostAndThenShareThemInTurn() {
        Topology topology = TestTopologies.fabric(true, TestTopologies.CLUSTER);
        int perHost = topology.hosts().get(0).devices().size();
        int all = topology.deviceCount();
        assertThat(all).isEqualTo(2 * perHost);
        assertThat(IntStream.range(0, all).mapToObj(topology::place))
                .containsExactlyElementsOf(IntStream.range(0, all)
                        .mapToObj(rank -> new Topology.Place(rank / perHost, rank % perHost))
                        .toList());
        assertThat(topology.place(all)).isEqualTo(new Topology.Place(0, 0));
        assertThat(topology.place(2 * all - 1)).isEqualTo(new Topology.Place(1, perHost - 1));
    }
}
