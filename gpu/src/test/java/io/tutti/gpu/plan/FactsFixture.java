package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
        return new RankFacts(f.rank(), f.host(), f.process(), f.driver(), f.device(), f.sharing(), f.links(), answer);
    }

    static RankFacts exportable(RankFacts f, Set<HandleKind> kinds) {
        SharingFacts sharing = new SharingFacts(
                kinds,
                f.sharing().capabilities(),
                f.sharing().imexChannel(),
                f.sharing().allocationGranularity());
        return new RankFacts(
                f.rank(), f.host(), f.process(), f.driver(), f.device(), sharing, f.links(), f.multicast());
    }

    static RankFacts peers(RankFacts f, Set<String> peers) {
        return links(f, new LinkFacts(peers, f.fabric(), f.links().peerBytesPerSecond()));
    }

    static RankFacts links(RankFacts f, LinkFacts links) {
        return new RankFacts(
                f.rank(), f.host(), f.process(), f.driver(), f.device(), f.sharing(), links, f.multicast());
    }

    static RankFacts device(RankFacts f, DeviceIdentity device, FabricInfo fabric) {
        return links(
                device(
                        f,
                        new DeviceFacts(
                                f.device().ordinal(),
                                device,
                                f.device().computeCapability(),
                                f.device().multiprocessors(),
                                f.device().freeBytes(),
                                f.device().confidential())),
                new LinkFacts(f.links().peerDeviceUuids(), fabric, f.links().peerBytesPerSecond()));
    }

    static RankFacts device(RankFacts f, DeviceFacts device) {
        return new RankFacts(
                f.rank(), f.host(), f.process(), f.driver(), device, f.sharing(), f.links(), f.multicast());
    }

    static RankFacts driver(RankFacts f, DriverFacts driver) {
        return new RankFacts(
                f.rank(), f.host(), f.process(), driver, f.device(), f.sharing(), f.links(), f.multicast());
    }

    static RankFacts abi(RankFacts f, int abiVersion) {
        return driver(f, new DriverFacts(f.driver().name(), f.driver().version(), abiVersion));
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
                new HostFacts("host-" + host, "host-" + host + ".example", 0),
                new ProcessFacts(process, "", "", Optional.empty()),
                new DriverFacts("host", 13000, 1),
                new DeviceFacts(
                        rank % perHost,
                        new DeviceIdentity(
                                "Emulated",
                                "GPU-" + host + "-" + rank % perHost,
                                "0000:0" + rank % perHost + ":00.0",
                                1L << 34),
                        90,
                        132,
                        1L << 34,
                        ConfidentialComputing.UNKNOWN),
                new SharingFacts(
                        EnumSet.of(HandleKind.IN_PROCESS, HandleKind.POSIX_FD, HandleKind.LEGACY_IPC),
                        Set.of(),
                        false,
                        2 << 20),
                new LinkFacts(peers, new FabricInfo(FabricInfo.NO_CLUSTER, 0, "completed"), 0),
                NO_MULTICAST);
    }
}
