package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Facts of imaginary machines: ranks on one device each, all devices of a host peers, no multicast. */
final class FactsFixture {

    static final MulticastAnswer NO_MULTICAST = new MulticastAnswer.Refused(
            "cuMulticastGetGranularity", "CUDA_ERROR_NOT_SUPPORTED", "Another way is taken.");

    private FactsFixture() {}

    /** {@code hosts} hosts of {@code perHost} ranks, one process a host. */
    static List<RankFacts> world(int hosts, int perHost) {
        return IntStream.range(0, hosts * perHost)
                .mapToObj(rank -> rank(rank, perHost, "process-" + rank / perHost))
                .toList();
    }

    /** The same with a process for every rank. */
    static List<RankFacts> processPerRank(int hosts, int perHost) {
        return IntStream.range(0, hosts * perHost)
                .mapToObj(rank -> rank(rank, perHost, "process-of-rank-" + rank))
                .toList();
    }

    static List<RankFacts> with(List<RankFacts> facts, int rank, UnaryOperator<RankFacts> change) {
        return facts.stream().map(f -> f.rank() == rank ? change.apply(f) : f).toList();
    }

    static RankFacts multicast(RankFacts f, MulticastAnswer answer) {
        return copy(f, f.device(), f.exportable(), f.peerDeviceUuids(), f.fabric(), answer, f.abiVersion());
    }

    static RankFacts exportable(RankFacts f, Set<HandleKind> kinds) {
        return copy(f, f.device(), kinds, f.peerDeviceUuids(), f.fabric(), f.multicast(), f.abiVersion());
    }

    static RankFacts peers(RankFacts f, Set<String> peers) {
        return copy(f, f.device(), f.exportable(), peers, f.fabric(), f.multicast(), f.abiVersion());
    }

    static RankFacts device(RankFacts f, DeviceIdentity device, FabricInfo fabric) {
        return copy(f, device, f.exportable(), f.peerDeviceUuids(), fabric, f.multicast(), f.abiVersion());
    }

    static RankFacts abi(RankFacts f, int abiVersion) {
        return copy(f, f.device(), f.exportable(), f.peerDeviceUuids(), f.fabric(), f.multicast(), abiVersion);
    }

    private static RankFacts copy(
            RankFacts f,
            DeviceIdentity device,
            Set<HandleKind> exportable,
            Set<String> peers,
            FabricInfo fabric,
            MulticastAnswer multicast,
            int abiVersion) {
        return new RankFacts(
                f.rank(),
                f.hostId(),
                f.hostName(),
                f.processId(),
                f.driver(),
                f.driverVersion(),
                f.deviceOrdinal(),
                device,
                f.computeCapability(),
                f.multiprocessors(),
                f.freeBytes(),
                f.allocationGranularity(),
                exportable,
                peers,
                fabric,
                multicast,
                abiVersion);
    }

    private static RankFacts rank(int rank, int perHost, String process) {
        int host = rank / perHost;
        Set<String> peers = new HashSet<>();
        for (int i = 0; i < perHost; i++) {
            if (i != rank % perHost) {
                peers.add("GPU-" + host + "-" + i);
            }
        }
        return new RankFacts(
                rank,
                "host-" + host,
                "host-" + host + ".example",
                process,
                "host",
                13000,
                rank % perHost,
                new DeviceIdentity(
                        "Emulated",
                        "GPU-" + host + "-" + rank % perHost,
                        "0000:0" + rank % perHost + ":00.0",
                        1L << 34),
                90,
                132,
                1L << 34,
                2 << 20,
                EnumSet.of(HandleKind.IN_PROCESS, HandleKind.POSIX_FD, HandleKind.LEGACY_IPC),
                peers,
                new FabricInfo(FabricInfo.NO_CLUSTER, 0, "completed"),
                NO_MULTICAST,
                1);
    }
}
