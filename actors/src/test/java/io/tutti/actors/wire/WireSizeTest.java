package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.HostFacts;
import io.tutti.gpu.plan.LinkFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.SharingFacts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The largest messages of the largest world fit into a frame of remoting's default size. */
final class WireSizeTest {

    private static final int WORLD = 72;
    private static final int LIMIT = 240 * 1024;

    private static WireSystem wire;

    @BeforeAll
    static void start() {
        wire = new WireSystem();
    }

    @AfterAll
    static void stop() {
        wire.close();
    }

    @Test
    void planningOf72RanksThatAllReachEachOtherFits() {
        assertThat(size(planning())).isBetween(LIMIT / 8, LIMIT / 2);
    }

    @Test
    void importingFrom72RanksByEveryKindFits() {
        List<MemoryOffer> offers = IntStream.range(0, WORLD)
                .boxed()
                .flatMap(rank -> Arrays.stream(HandleKind.values()).map(kind -> offer(rank, kind)))
                .toList();
        assertThat(size(order(Stage.IMPORT, new StageInput.Importing(offers)))).isBetween(LIMIT / 8, LIMIT / 2);
    }

    @Test
    void anEndWith72PendingCallsFits() {
        Map<Integer, CallDescriptor> pending = new HashMap<>();
        IntStream.range(0, WORLD).forEach(rank -> pending.put(rank, Samples.OTHER_CALL));
        Set<Integer> undrained = IntStream.range(0, WORLD).boxed().collect(Collectors.toSet());
        RankMessage ended = new RankMessage.EpochEnded(
                Samples.LATER, Samples.RANK, Samples.EPOCH, words(8192), undrained, pending, false);
        assertThat(size(ended)).isLessThan(LIMIT / 8);
    }

    /** What it costs to leave out the table of devices, which is why there is one. */
    @Test
    void peerDevicesAreWrittenOnceForAllRanks() {
        int repeated = WORLD * (WORLD - 1) * uuid(0).length();
        assertThat(repeated).isGreaterThan(200_000);
        assertThat(size(planning())).isLessThan(repeated / 2);
    }

    private static RankMessage planning() {
        List<Exclusion> exclusions = Arrays.stream(PathKind.values())
                .flatMap(path -> Arrays.stream(HandleKind.values())
                        .map(kind -> new Exclusion(path, kind, "verify", words(1024))))
                .toList();
        List<RankFacts> facts =
                IntStream.range(0, WORLD).mapToObj(WireSizeTest::facts).toList();
        return order(
                Stage.PLAN,
                new StageInput.Planning(facts, Policy.standard(), exclusions, 1L << 40, "0123456789abcdef".repeat(4)));
    }

    private static int size(RankMessage message) {
        return wire.bytes(Samples.toRank(message)).length;
    }

    private static RankMessage order(Stage stage, StageInput input) {
        return new RankMessage.StageOrder(Samples.RANK, Samples.EPOCH, stage, input, 60_000);
    }

    private static RankFacts facts(int rank) {
        Set<String> peers = IntStream.range(0, WORLD)
                .filter(peer -> peer != rank)
                .mapToObj(WireSizeTest::uuid)
                .collect(Collectors.toCollection(TreeSet::new));
        return new RankFacts(
                rank,
                new HostFacts(
                        "d7b5a529-a0e4-c7e8-a543-d1f0c6f2b110/4026531840/4026532281",
                        "gb200-rack-17-tray-" + rank + ".cluster.example.org",
                        1L << 40),
                new ProcessFacts(
                        "4242-18446744073709551615-d7b5a529",
                        "service-account (100042)",
                        "pid:[4026531836]",
                        Optional.of(uuid(rank))),
                new DriverFacts("host", 13_010, 1),
                new DeviceFacts(
                        rank,
                        new DeviceIdentity("NVIDIA GB200 NVL72 192GB HBM3e", uuid(rank), "00000008:01:00.0", 1L << 38),
                        100,
                        152,
                        1L << 38,
                        ConfidentialComputing.OFF),
                new SharingFacts(Set.of(HandleKind.values()), Set.of(DeviceCapability.values()), true, 2 << 20),
                new LinkFacts(
                        peers,
                        new FabricInfo(
                                "d7b5a529-a0e4-c7e8-a543-d1f0c6f2b110", 32_766, "completed", "degraded-bandwidth"),
                        900_000_000_000L),
                new MulticastAnswer.Refused(
                        "cuMulticastGetGranularity",
                        "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
                        "Install a libcuda that matches the kernel driver. ".repeat(3)));
    }

    private static MemoryOffer offer(int rank, HandleKind kind) {
        return new MemoryOffer(
                rank,
                kind,
                "d7b5a529-a0e4-c7e8-a543-d1f0c6f2b110/4026531840/4026532281",
                "4242-18446744073709551615-d7b5a529",
                1L << 36,
                1L << 24,
                1L << 32,
                new byte[256]);
    }

    private static String uuid(int device) {
        return String.format("GPU-7f3c9a10-1a2b-3c4d-5e6f-7081920000%02d", device);
    }

    private static ErrorInfo words(int length) {
        return ErrorInfo.of(ErrorCode.DRIVER, "x".repeat(length), "Look at the log.");
    }
}
