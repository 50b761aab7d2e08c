package io.tutti.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.host.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Topologies as files: the built-in ones, a user's own, and every mistake with its place. */
class TopologiesTest {

    @TempDir
    Path folder;

    static List<String> names() {
        return Topologies.names();
    }

    private static Topology load(String name) {
        return Topologies.load(name, OptionalLong.empty());
    }

    private Path file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("mine.conf"), String.join("\n", lines));
    }

    private List<String> mistakes(String... lines) throws IOException {
        String file = file(lines).toString();
        return ConfigText.mistakesOf(() -> load(file));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyDeviceOfABuiltInTopologyIsItself(String name) {
        Topology topology = load(name);
        assertThat(topology.name()).isEqualTo(name);
        Set<String> seen = new HashSet<>();
        topology.hosts()
                .forEach(host -> host.devices()
                        .forEach(device ->
                                assertThat(seen.add(device.identity().uuid())).isTrue()));
        assertThat(topology.hosts().stream().map(Topology.Host::name)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "gb200-nvl72-18x4, 18, 4",
        "gb200-nvl72-2x4, 2, 4",
        "h100-nvl-2, 1, 2",
        "h200-2, 1, 2",
        "h200-2x8, 2, 8",
        "h200-8, 1, 8",
        "h200-8-no-imex, 1, 8",
        "mig, 1, 2",
        "pcie-4, 1, 4",
        "single, 1, 1"
    })
    void builtInTopologiesHaveTheHostsAndDevicesOfTheirNames(String name, int hosts, int devices) {
        assertThat(load(name).hosts())
                .hasSize(hosts)
                .allSatisfy(host -> assertThat(host.devices()).hasSize(devices));
    }

    @Test
    void aFileCanUseADeviceSeveralTimesAndChangeOneHost() throws IOException {
        Topology topology = load(file(
                        "gpu { name = \"Own\", memory = 1 GiB, fabric = true }",
                        "node { imex-channel = true, peers = [[0, 1], [2]], devices = [${gpu}, ${gpu}, ${gpu}] }",
                        "hosts = [${node}, ${node} { imex-channel = false, fabric.clique = 7 }]",
                        "driver-version = 12040")
                .toString());
        assertThat(topology.name()).isEqualTo("mine");
        assertThat(topology.driverVersion()).isEqualTo(12_040);
        assertThat(topology.hosts().get(0).imexChannel()).isTrue();
        assertThat(topology.hosts().get(1).imexChannel()).isFalse();
        assertThat(topology.device(1, 2).fabric().clique()).isEqualTo(7);
        assertThat(topology.device(0, 0).peers()).containsExactly(1);
        assertThat(topology.device(0, 2).peers()).isEmpty();
        assertThat(topology.device(1, 1).identity().totalBytes()).isEqualTo(1L << 30);
        assertThat(topology.hosts().get(0).multicast().result()).isEqualTo(CuResult.CUDA_SUCCESS);
    }

    @Test
    void whatAManagementLibraryWouldTellIsSetHostByHostAndLinksDeviceByDevice() throws IOException {
        Topology topology = load(file(
                        "gpu { link.promised = 1 GiB }",
                        "node { devices = [${gpu}, ${gpu} { link.real = 2 MiB }] }",
                        "hosts = [${node}, ${node} { confidential-computing = on,"
                                + " fabric.health = degraded-bandwidth }]")
                .toString());
        assertThat(topology.hosts().get(0).confidential()).isEqualTo(ConfidentialComputing.OFF);
        assertThat(topology.hosts().get(1).confidential()).isEqualTo(ConfidentialComputing.ON);
        assertThat(topology.device(0, 0).fabric().health()).isEqualTo("unknown");
        assertThat(topology.device(1, 0).fabric().health()).isEqualTo("degraded-bandwidth");
        assertThat(topology.device(0, 0).link()).isEqualTo(new Topology.Link(1L << 30, OptionalLong.empty()));
        assertThat(topology.device(0, 1).link()).isEqualTo(new Topology.Link(1L << 30, OptionalLong.of(2L << 20)));
        assertThat(mistakes("hosts = [{ devices = [{ link { real = 1 B, speed = 2 } }] }]"))
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one).contains("link.real is 1 B").contains("256 KiB to 1 TiB"),
                        one -> assertThat(one).contains("link.speed").contains("is no setting"));
    }

    @Test
    void everyMistakeIsReportedWithItsLine() throws IOException {
        assertThat(mistakes(
                        "driver-version = old",
                        "hosts = [{",
                        "  allocation-granularity = 3 MiB",
                        "  multicast.result = CUDA_ERROR_NO",
                        "  imex-chanel = true",
                        "  peers = [[0, 5]]",
                        "  devices = [",
                        "    { memory = 0, mig = maybe }",
                        "    7",
                        "  ]",
                        "}]"))
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one).contains("mine.conf:1").contains("driver-version is old"),
                        one -> assertThat(one).contains("mine.conf:3").contains("a power of two"),
                        one -> assertThat(one).contains("mine.conf:4").contains("CUDA_ERROR_NO"),
                        one -> assertThat(one)
                                .contains("mine.conf:5")
                                .contains("did you mean mine.hosts[0].imex-channel?"),
                        one -> assertThat(one).contains("mine.conf:6").contains("contains 5"),
                        one -> assertThat(one)
                                .contains("mine.conf:8")
                                .contains("hosts[0].devices[0].memory")
                                .contains("1 MiB to 1 TiB"),
                        one -> assertThat(one).contains("mine.conf:8").contains("mig is maybe"),
                        one -> assertThat(one).contains("mine.conf:9").contains("contains 7"));
    }

    @Test
    void aSlipInAKeyOfTheFileIsNotTakenForADefinition() throws IOException {
        assertThat(mistakes("host = [{ devices = [{}] }]"))
                .anySatisfy(one -> assertThat(one).contains("hosts").contains("is missing"));
        assertThat(mistakes("hosts = [{ devices = [{}] }]", "driver-verison = 12040"))
                .singleElement()
                .satisfies(one -> assertThat(one).contains("mine.conf:2").contains("did you mean driver-version?"));
        assertThat(mistakes("hosts = []"))
                .singleElement()
                .satisfies(one -> assertThat(one).contains("mine.conf:1").contains("a list of 1 to 72 objects"));
        assertThat(mistakes("hosts = [{}]"))
                .singleElement()
                .satisfies(one -> assertThat(one).contains("hosts[0].devices").contains("is missing"));
    }

    @Test
    void anUnknownNameIsRefusedWithTheKnownOnes() {
        assertThat(ConfigText.mistakesOf(() -> load("h200-2x9")))
                .singleElement()
                .satisfies(one -> assertThat(one)
                        .contains("h200-2x9")
                        .contains("did you mean h200-2x8?")
                        .contains("pcie-4"));
    }

    @Test
    void memoryPerDeviceReplacesTheTopologys() {
        Topology small = Topologies.load("h200-2", OptionalLong.of(1L << 24));
        assertThat(small.device(0, 1).identity().totalBytes()).isEqualTo(1L << 24);
    }
}
