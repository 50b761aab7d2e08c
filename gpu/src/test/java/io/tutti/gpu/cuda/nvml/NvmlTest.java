package io.tutti.gpu.cuda.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.FabricInfo;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NvmlTest {

    private static final String CLUSTER = "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf";

    private final FakeNvml fake = new FakeNvml();
    private final Nvml nvml = new Nvml(fake);

    @Test
    void theDomainIsReadFromTheStruct() {
        assertThat(nvml.fabricInfo(FakeNvml.ONE)).isEqualTo(new FabricInfo(CLUSTER, 5, "completed"));
        fake.state = 2;
        assertThat(nvml.fabricInfo(FakeNvml.ONE).state()).isEqualTo("in-progress");
        fake.state = 3;
        fake.status = 15;
        assertThat(nvml.fabricInfo(FakeNvml.ONE).state()).isEqualTo("failed");
    }

    @Test
    void theHealthIsReadWhereTheLibraryTellsIt() {
        fake.fabricVersioned = NvmlCalls.SUCCESS;
        fake.healthMask = 0b10_10_10_10;
        assertThat(nvml.fabricInfo(FakeNvml.ONE)).isEqualTo(new FabricInfo(CLUSTER, 5, "completed", "healthy"));
        fake.healthMask = 0b10_01_10_01;
        assertThat(nvml.fabricInfo(FakeNvml.ONE).health()).isEqualTo("degraded-bandwidth,unhealthy-route");
        fake.healthMask = 0;
        assertThat(nvml.fabricInfo(FakeNvml.ONE).health()).isEqualTo("unknown");
    }

    @Test
    void whatCannotBeAskedIsNoFabric() {
        FabricInfo none = new FabricInfo(FabricInfo.NO_CLUSTER, 0, "not-supported");
        assertThat(nvml.fabricInfo("0000:99:00.0")).isEqualTo(none);
        fake.fabric = NvmlCalls.FUNCTION_NOT_FOUND;
        assertThat(nvml.fabricInfo(FakeNvml.ONE)).isEqualTo(none);
        nvml.close();
        nvml.close();
        assertThat(fake.shutdowns).isEqualTo(1);
        assertThat(nvml.fabricInfo(FakeNvml.ONE)).isEqualTo(none);
    }

    @Test
    void aLibraryThatDoesNotKnowConfidentialComputingLeavesItUnknown() {
        assertThat(nvml.confidentialComputing()).isEqualTo(ConfidentialComputing.UNKNOWN);
        fake.confidential = NvmlCalls.SUCCESS;
        assertThat(nvml.confidentialComputing()).isEqualTo(ConfidentialComputing.OFF);
        fake.confidentialFeature = 1;
        assertThat(nvml.confidentialComputing()).isEqualTo(ConfidentialComputing.ON);
    }

    @Test
    void aUuidThatTheLibraryKnowsAsASlicesIsASlice() {
        fake.uuids = Set.of("MIG-5b1c");
        assertThat(nvml.isMig("5b1c")).isTrue();
        assertThat(nvml.isMig("77aa")).isFalse();
    }

    @Test
    void linksPromiseTheirNumberTimesTheirRateWhereEveryPeerIsJoinedByThem() {
        fake.links = 18;
        List<String> peer = List.of(FakeNvml.OTHER);
        assertThat(nvml.peerBytesPerSecond(FakeNvml.ONE, peer, 90)).isEqualTo(450_000_000_000L);
        assertThat(nvml.peerBytesPerSecond(FakeNvml.ONE, peer, 100)).isEqualTo(900_000_000_000L);
        assertThat(nvml.peerBytesPerSecond(FakeNvml.ONE, List.of(), 90)).isEqualTo(450_000_000_000L);
    }

    @Test
    void aPeerThatNoLinkJoinsIsReachedOverPcieWhoseRateIsPromised() {
        fake.links = 12;
        fake.nvLinkStatus = 5;
        assertThat(nvml.peerBytesPerSecond(FakeNvml.ONE, List.of(FakeNvml.OTHER), 90))
                .isEqualTo(16 * 3_938_000_000L);
        fake.links = 0;
        fake.pcieGeneration = 4;
        assertThat(nvml.peerBytesPerSecond(FakeNvml.ONE, List.of(), 80)).isEqualTo(16 * 1_969_000_000L);
    }

    @Test
    void nothingIsPromisedOfADeviceThatTheLibraryDoesNotKnow() {
        assertThat(nvml.peerBytesPerSecond("0000:99:00.0", List.of(), 90)).isZero();
        fake.pcieGeneration = 9;
        assertThat(nvml.peerBytesPerSecond(FakeNvml.ONE, List.of(), 90)).isZero();
    }
}
