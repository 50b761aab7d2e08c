package io.tutti.gpu.host;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.posix.MemoryLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The machine itself as a topology: what {@code run} uses where there is no GPU. */
final class LocalTopology {

    private static final int DRIVER_VERSION = 13_000;
    /** Small, unlike a GPU's 2 MiB, so that 72 ranks on a laptop do not need a laptop's memory. */
    private static final long GRANULARITY = 64 << 10;

    private static final FabricInfo NO_FABRIC =
            new FabricInfo("00000000-0000-0000-0000-000000000000", 0, "not-supported");

    private LocalTopology() {}

    /** Three quarters of what the machine and its control groups can give now, shared evenly. */
    static long memoryPerDevice(int devices) {
        MemoryLimits.Available available = MemoryLimits.system().available();
        long bytes = available.bytes() == Long.MAX_VALUE ? Runtime.getRuntime().maxMemory() : available.bytes();
        return Math.max(GRANULARITY, bytes / 4 * 3 / Math.max(1, devices) / GRANULARITY * GRANULARITY);
    }

    static Topology create(int devices, long memoryPerDevice) {
        if (devices < 1) {
            throw new IllegalArgumentException("a host has at least one device: devices=" + devices);
        }
        List<Topology.Device> all = new ArrayList<>();
        for (int ordinal = 0; ordinal < devices; ordinal++) {
            all.add(device(ordinal, devices, memoryPerDevice));
        }
        Topology.Multicast multicast = Topology.Multicast.refused(CuResult.CUDA_ERROR_NOT_SUPPORTED);
        return new Topology(
                "local",
                DRIVER_VERSION,
                List.of(new Topology.Host("localhost", false, GRANULARITY, multicast, ConfidentialComputing.OFF, all)));
    }

    private static Topology.Device device(int ordinal, int devices, long memory) {
        UUID uuid = UUID.nameUUIDFromBytes(("tutti local " + ordinal).getBytes(StandardCharsets.UTF_8));
        Set<Integer> peers = IntStream.range(0, devices)
                .filter(peer -> peer != ordinal)
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
        return new Topology.Device(
                new DeviceIdentity(
                        "Tutti host device", "GPU-" + uuid, String.format("0000:%02x:00.0", ordinal), memory),
                9,
                0,
                1,
                false,
                new Topology.Capabilities(true, true, false, false, true),
                NO_FABRIC,
                Topology.Link.EMULATED,
                peers);
    }
}
