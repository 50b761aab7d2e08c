package io.tutti.gpu.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.TestTopologies;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FactsCollectorTest {

    @Test
    void aHandleKindThatTheProcessCannotUseIsNotPromisedWhateverTheDeviceSupports() {
        try (HostDriver driver =
                HostDriver.builder().topology(Topology.local(2)).build()) {
            FactsCollector collector =
                    new FactsCollector(driver, new HostIdentity("host", "host"), "process", KernelAbi.VERSION);

            assertThat(collector.collect(0, 2, 0, Set.of(HandleKind.values())).exportable())
                    .contains(HandleKind.IN_PROCESS, HandleKind.LEGACY_IPC);
            assertThat(collector.collect(0, 2, 0, Set.of(HandleKind.IN_PROCESS)).exportable())
                    .containsExactly(HandleKind.IN_PROCESS);
        }
    }

    @Test
    void fabricIsPromisedWhereTheDeviceSupportsItAndTheProcessMayOpenAnImexChannel() {
        assertThat(exportable(TestTopologies.fabric(true, TestTopologies.CLUSTER)))
                .contains(HandleKind.FABRIC);
        assertThat(exportable(TestTopologies.h200Pair(64 << 20)))
                .contains(HandleKind.POSIX_FD, HandleKind.LEGACY_IPC)
                .doesNotContain(HandleKind.FABRIC);
    }

    @Test
    void aDeviceWithoutAnyOfThemStillSharesInItsProcess() {
        assertThat(exportable(TestTopologies.islands())).containsExactly(HandleKind.IN_PROCESS);
    }

    @Test
    void everyCapabilityIsAFactOfItsOwnWhateverFollowsFromAll() {
        RankFacts pair = facts(TestTopologies.h200Pair(64 << 20));
        assertThat(pair.sharing().capabilities()).containsExactlyInAnyOrder(DeviceCapability.values());
        assertThat(pair.sharing().imexChannel()).isFalse();
        assertThat(facts(TestTopologies.islands()).sharing().capabilities())
                .containsExactly(DeviceCapability.VIRTUAL_MEMORY);
    }

    @Test
    void placeDeviceAndLinksAreAsTheMachineSays() {
        RankFacts facts = facts(TestTopologies.fabric(true, TestTopologies.CLUSTER));

        assertThat(facts.host().id()).isEqualTo("host");
        assertThat(facts.process().id()).isEqualTo("process");
        assertThat(facts.process().visibleDevices())
                .as("means nothing to an emulation")
                .isEmpty();
        assertThat(facts.driver()).isEqualTo(new DriverFacts("host", 13_000, KernelAbi.VERSION));
        assertThat(facts.device().confidential()).isEqualTo(ConfidentialComputing.OFF);
        assertThat(facts.device().identity().pciBusId()).isEqualTo("0000:00:00.0");
        assertThat(facts.links().peerDeviceUuids()).containsExactly("GPU-node0-1");
        assertThat(facts.links().fabric().clusterUuid()).isEqualTo(TestTopologies.CLUSTER);
        assertThat(facts.links().peerBytesPerSecond()).isEqualTo(Topology.Link.EMULATED.promised());
    }

    @Test
    void aDomainThatCannotBeAskedForIsNone() {
        FaultPlan noFabric = FaultPlan.parse(List.of("call=nvmlDeviceGetGpuFabricInfo result=CUDA_ERROR_UNKNOWN"));
        try (HostDriver driver = HostDriver.builder().faults(noFabric).build()) {
            assertThat(facts(driver).fabric().state()).isEqualTo("not-supported");
        }
    }

    @Test
    void factsThatLastAreEqualWhateverMemoryIsFree() {
        try (HostDriver driver = HostDriver.builder().build()) {
            RankFacts before = facts(driver);
            driver.ctxSetCurrent(driver.primaryCtxRetain(0));
            long taken = driver.memAlloc(1 << 20);
            RankFacts after = facts(driver);
            assertThat(after).isNotEqualTo(before);
            assertThat(after.lasting()).isEqualTo(before.lasting());
            driver.memFree(taken);
            driver.primaryCtxRelease(0);
        }
    }

    private static RankFacts facts(Topology topology) {
        try (HostDriver driver = HostDriver.builder().topology(topology).build()) {
            return facts(driver);
        }
    }

    private static RankFacts facts(HostDriver driver) {
        return new FactsCollector(driver, new HostIdentity("host", "host"), "process", KernelAbi.VERSION)
                .collect(0, 2, 0, Set.of(HandleKind.values()));
    }

    private static Set<HandleKind> exportable(Topology topology) {
        return facts(topology).exportable();
    }
}
