package io.tutti.gpu.host;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Machines whose driver answers are known, as small as the tests need them. */
public final class TestTopologies {

    public static final long MIB = 1L << 20;
    public static final String NO_CLUSTER = "00000000-0000-0000-0000-000000000000";
    public static final String CLUSTER = "6d2f9a0c-51b7-4c0e-9a51-9f0d3c1b7e24";

    private TestTopologies() {}

    /** Two H200 of one machine without an IMEX channel, whose fabric attribute is set all the same. */
    public static Topology h200Pair(long memory) {
        return new Topology("h200-2", 13_000, List.of(host("node0", 2, memory, false, NO_CLUSTER, true)));
    }

    /** Two hosts of one fabric clique. */
    public static Topology fabric(boolean imexOnSecond, String secondCluster) {
        return new Topology(
                "fabric",
                13_000,
                List.of(
                        host("node0", 2, 64 * MIB, true, CLUSTER, true),
                        host("node1", 2, 64 * MIB, imexOnSecond, secondCluster, true)));
    }

    /** One host of two devices behind switches. */
    public static Topology switched(String name, Topology.Multicast multicast) {
        return new Topology(name, 13_000, List.of(host("node0", 2, multicast, true, NO_CLUSTER)));
    }

    /** Two hosts of two devices each, whose switches are one fabric. */
    public static Topology switchedHosts(Topology.Multicast multicast, String secondCluster) {
        return new Topology(
                "switched-hosts",
                13_000,
                List.of(host("node0", 2, multicast, true, CLUSTER), host("node1", 2, multicast, true, secondCluster)));
    }

    /** Two devices without a peer path, fabric, descriptors or legacy IPC. */
    public static Topology islands() {
        Topology.Host host = host("node0", 2, 64 * MIB, false, NO_CLUSTER, false);
        return new Topology("islands", 13_000, List.of(host));
    }

    /** One host of devices that are all peers, with the given links. */
    public static Topology linked(Topology.Link... links) {
        Topology.Host plain = host("node0", links.length, 256 * MIB, false, NO_CLUSTER, true);
        List<Topology.Device> devices = IntStream.range(0, links.length)
                .mapToObj(ordinal -> linked(plain.devices().get(ordinal), links[ordinal]))
                .toList();
        return new Topology(
                "linked",
                13_000,
                List.of(new Topology.Host(
                        plain.name(),
                        plain.imexChannel(),
                        plain.allocationGranularity(),
                        plain.multicast(),
                        plain.confidential(),
                        devices)));
    }

    private static Topology.Device linked(Topology.Device device, Topology.Link link) {
        return new Topology.Device(
                device.identity(),
                device.computeCapabilityMajor(),
                device.computeCapabilityMinor(),
                device.multiprocessors(),
                device.mig(),
                device.capabilities(),
                device.fabric(),
                link,
                device.peers());
    }

    private static Topology.Host host(
            String name, int devices, long memory, boolean imex, String cluster, boolean capable) {
        Topology.Multicast multicast = capable
                ? Topology.Multicast.of(2 * MIB)
                : Topology.Multicast.refused(CuResult.CUDA_ERROR_NOT_SUPPORTED);
        return host(name, devices, memory, multicast, imex, cluster, capable);
    }

    private static Topology.Host host(
            String name, int devices, Topology.Multicast multicast, boolean imex, String cluster) {
        return host(name, devices, 64 * MIB, multicast, imex, cluster, true);
    }

    private static Topology.Host host(
            String name,
            int devices,
            long memory,
            Topology.Multicast multicast,
            boolean imex,
            String cluster,
            boolean capable) {
        return new Topology.Host(
                name,
                imex,
                2 * MIB,
                multicast,
                ConfidentialComputing.OFF,
                IntStream.range(0, devices)
                        .mapToObj(ordinal -> device(name, ordinal, devices, memory, cluster, capable))
                        .toList());
    }

    private static Topology.Device device(
            String host, int ordinal, int devices, long memory, String cluster, boolean capable) {
        Set<Integer> peers = IntStream.range(0, capable ? devices : 0)
                .filter(peer -> peer != ordinal)
                .boxed()
                .collect(Collectors.toSet());
        return new Topology.Device(
                new DeviceIdentity("NVIDIA H200", "GPU-" + host + "-" + ordinal, "0000:0" + ordinal + ":00.0", memory),
                9,
                0,
                132,
                false,
                new Topology.Capabilities(true, capable, capable, capable, capable),
                new FabricInfo(cluster, 0, "completed"),
                Topology.Link.EMULATED,
                peers);
    }
}
