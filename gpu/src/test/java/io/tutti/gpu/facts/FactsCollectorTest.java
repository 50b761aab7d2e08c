package io.tutti.gpu.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.TestTopologies;
import io.tutti.gpu.host.Topology;
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

    private static Set<HandleKind> exportable(Topology topology) {
        try (HostDriver driver = HostDriver.builder().topology(topology).build()) {
            return new FactsCollector(driver, new HostIdentity("host", "host"), "process", KernelAbi.VERSION)
                    .collect(0, 2, 0, Set.of(HandleKind.values()))
                    .exportable();
        }
    }
}
