package io.tutti.gpu.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.workspace.WorkspaceLayout;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InProcessTransportTest {

    private static final Sharing SHARING = new Sharing(new EpochId(new Term(1, "test"), 1), 0, 2);

    private final InProcessTransport transport = new InProcessTransport();

    private static HostDriver driver() {
        HostDriver driver =
                HostDriver.builder().topology(Topology.local(2, 64 << 20)).build();
        driver.ctxSetCurrent(driver.primaryCtxRetain(0));
        return driver;
    }

    @Test
    void memoryIsUsedWhereItIsByRanksOfItsDriverAndRefusedByThoseOfAnother() {
        try (HostDriver one = driver();
                HostDriver other = driver()) {
            WorkspaceMemory memory = WorkspaceMemory.allocate(
                    one,
                    0,
                    HandleTransports.standard(),
                    Set.of(HandleKind.IN_PROCESS),
                    WorkspaceLayout.of(new WorkspaceSpec(2, 4096, 4096)));
            MemoryOffer template =
                    new MemoryOffer(0, HandleKind.IN_PROCESS, "host", "process", memory.bytes(), 4096, 1, new byte[0]);
            try (ExportedMemory exported = transport.export(one.actingAs(0), SHARING, memory, template);
                    ImportedMemory imported = transport.importOffer(one.actingAs(1), SHARING, 1, exported.offer())) {
                assertThat(imported.address()).isEqualTo(memory.address());
                assertThatThrownBy(() -> transport.importOffer(other, SHARING, 1, exported.offer()))
                        .isInstanceOf(TuttiException.class)
                        .hasMessageContaining("another driver of this process");
            }
            memory.close();
        }
    }
}
