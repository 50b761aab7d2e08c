package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.Term;
import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.posix.LocalSocket;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a descriptor reaches those that may have it, and nobody else. */
@Timeout(30)
final class DescriptorsTest {

    private final List<String> openBefore = OpenDescriptors.now();

    @AfterEach
    void nothingIsLeft() {
        assertThat(OpenDescriptors.now()).isEqualTo(openBefore);
        assertThat(OpenDescriptors.localThreads()).isEmpty();
    }

    @Test
    void aDescriptorArrivesAndTheExporterKeepsItsOwnUntilAllHaveConfirmed() throws Exception {
        try (Service exporter = new Service()) {
            DescriptorExport export = exporter.publish(42, 0, 2);
            try (FetchedDescriptor first = Service.fetch(export, 0)) {
                assertThat(Service.mark(first.descriptor())).isEqualTo(42);
                first.confirm();
            }
            try (FetchedDescriptor second = Service.fetch(export, 2)) {
                assertThat(export.isOpen()).isTrue();
                assertThat(Service.mark(second.descriptor())).isEqualTo(42);
                second.confirm();
            }
            while (export.isOpen()) {
                Thread.onSpinWait();
            }
            assertThat(export.confirmed()).containsExactly(0, 2);
            assertThat(exporter.refusals).isEmpty();
        }
    }

    @Test
    void aTicketIsGoodOnce() throws Exception {
        try (Service exporter = new Service()) {
            DescriptorExport export = exporter.publish(1, 0, 2);
            try (FetchedDescriptor fetched = Service.fetch(export, 0)) {
                fetched.confirm();
            }
            assertThatThrownBy(() -> Service.fetch(export, 0)).hasMessageContaining("USED_TICKET");
            assertThat(exporter.refusal().describe())
                    .contains("used before", "pid=" + ProcessHandle.current().pid(), "uid=", "importer=0");
        }
    }

    @Test
    void whatIsNotMeantForTheAskerIsRefused() throws Exception {
        EpochId epoch = Service.EPOCH;
        ShareKey laterEpoch = new ShareKey(Service.COMMUNICATOR, 1, new EpochId(epoch.term(), 8));
        ShareKey otherTerm = new ShareKey(Service.COMMUNICATOR, 1, new EpochId(new Term(4, "coordinator"), 7));
        ShareKey rival = new ShareKey(Service.COMMUNICATOR, 1, new EpochId(new Term(3, "rival"), 7));
        ShareKey otherInstance = new ShareKey(new UUID(1, 2), 1, epoch);
        ShareKey otherRank = new ShareKey(Service.COMMUNICATOR, 0, epoch);
        try (Service exporter = new Service()) {
            DescriptorExport export = exporter.publish(1, 0, 2);
            for (ShareKey stale : List.of(laterEpoch, otherTerm, rival, otherInstance)) {
                assertRefused(export, stale, 0, "STALE");
            }
            assertRefused(export, otherRank, 0, "WRONG_RANK");
            assertRefused(export, Service.KEY, 3, "WRONG_RANK");
            assertRefused(export, Service.KEY, 1, "WRONG_RANK");
            assertThat(export.isOpen()).isTrue();
            Service.fetch(export, 0).close();
        }
    }

    private static void assertRefused(DescriptorExport export, ShareKey key, int importer, String reason) {
        assertThatThrownBy(() -> FetchedDescriptor.fetch(export.handle(), key, importer, Service.deadline()))
                .hasMessageContaining(reason);
    }

    @Test
    void aWrongTicketAndAWrongIndexAreRefusedAndDoNotUseTheRightOneUp() throws Exception {
        try (Service exporter = new Service()) {
            DescriptorExport export = exporter.publish(1, 0);
            byte[] secret = DescriptorHandle.decode(export.handle()).secret();
            Frame request = Frame.request(Service.KEY, 0, export.id(), 1);
            assertThat(exporter.ask(request.encode()).reason()).isEqualTo(RefusalReason.WRONG_TICKET.code());
            assertThat(exporter.ask(Frame.request(Service.KEY, 0, export.id(), 2)
                                    .sealedBy(secret)
                                    .encode())
                            .reason())
                    .isEqualTo(RefusalReason.WRONG_INDEX.code());
            assertThat(exporter.ask(Frame.request(Service.KEY, 0, 77, 1)
                                    .sealedBy(secret)
                                    .encode())
                            .reason())
                    .isEqualTo(RefusalReason.NOT_EXPORTED.code());
            assertThat(exporter.refusal().reason()).isEqualTo(RefusalReason.WRONG_TICKET);
            Service.fetch(export, 0).close();
        }
    }

    @Test
    void withdrawnMemoryIsRefusedAndAMissingProcessNamed() throws Exception {
        DescriptorExport export;
        try (Service exporter = new Service()) {
            export = exporter.publish(1, 0);
            export.close();
            export.close();
            assertThatThrownBy(() -> Service.fetch(export, 0)).hasMessageContaining("NOT_EXPORTED");
        }
        assertThatThrownBy(() -> Service.fetch(export, 0)).isInstanceOf(ConnectException.class);
    }

    @Test
    void aDescriptorThatIsClosedAlreadyIsSaidToBeClosed() throws Exception {
        int neverOpen = 1_000_000;
        try (Service exporter = new Service()) {
            DescriptorExport export = exporter.service.publish(Service.KEY, neverOpen, Set.of(0));
            assertThatThrownBy(() -> Service.fetch(export, 0)).hasMessageContaining("DESCRIPTOR_CLOSED");
        }
    }

    @Test
    void anImporterThatNeverConfirmsIsNamedAndTheExportStays() throws Exception {
        try (Service exporter = new Service()) {
            DescriptorExport export = exporter.publish(1, 0, 2);
            try (FetchedDescriptor silent = Service.fetch(export, 0)) {
                assertThat(exporter.refusal().reason()).isEqualTo(RefusalReason.NOT_CONFIRMED);
                assertThat(Service.mark(silent.descriptor())).isEqualTo(1);
            }
            Service.fetch(export, 2).close();
            assertThat(exporter.refusal().describe()).contains("importer=2");
            assertThat(export.isOpen()).isTrue();
        }
    }

    @Test
    void aPeerThatSendsDescriptorsLeaksNone() throws Exception {
        try (Service exporter = new Service();
                LocalSocket socket = exporter.connect()) {
            int own = Service.memfd(1);
            List<String> before = OpenDescriptors.now();
            socket.send(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), own, own, own);
            assertThat(exporter.refusal().reason()).isEqualTo(RefusalReason.GARBAGE);
            assertThat(OpenDescriptors.now().size()).isLessThanOrEqualTo(before.size());
            Descriptors.close(own);
        }
    }
}
