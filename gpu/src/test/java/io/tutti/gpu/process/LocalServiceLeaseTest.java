package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LocalServiceLeaseTest {

    @Test
    void aProcessHasOneServiceUntilItsLastUserIsGone() throws Exception {
        List<String> openBefore = OpenDescriptors.now();
        String processId = Service.newProcessId();
        LocalServiceLease first = LocalServiceLease.acquire(processId);
        LocalServiceLease second = LocalServiceLease.acquire(processId);
        assertThat(second.service()).isSameAs(first.service());

        first.close();
        first.close();
        PeerLinksTest.Heard heard = new PeerLinksTest.Heard();
        try (Service other = new Service();
                PeerLinks links = PeerLinks.open(other.service, List.of(processId), Service.PATIENCE, heard)) {
            assertThat(links.alive()).containsExactly(processId);
            second.close();
            assertThat(heard.next()).isEqualTo("goodbye " + processId);
        }
        try (LocalServiceLease again = LocalServiceLease.acquire(processId)) {
            assertThat(again.service()).isNotSameAs(first.service());
        }
        assertThat(OpenDescriptors.now()).isEqualTo(openBefore);
    }
}
