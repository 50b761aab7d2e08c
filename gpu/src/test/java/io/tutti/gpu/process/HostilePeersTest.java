package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.posix.LocalSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that connect and then misbehave: refused by the deadline, named, and in nobody's way. */
@Timeout(30)
final class HostilePeersTest {

    private final List<String> openBefore = OpenDescriptors.now();

    @AfterEach
    void nothingIsLeft() {
        assertThat(OpenDescriptors.now()).isEqualTo(openBefore);
        assertThat(OpenDescriptors.localThreads()).isEmpty();
    }

    private static void assertNamed(Refusal refusal, RefusalReason reason) throws Exception {
        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal.peer().pid()).isEqualTo((int) ProcessHandle.current().pid());
        assertThat(refusal.peer().uid()).isEqualTo(LocalSocket.ownUid());
    }

    @Test
    void aSilentPeerIsRefusedByTheDeadlineAndDelaysNobody() throws Exception {
        try (Service exporter = new Service();
                LocalSocket silent = exporter.connect()) {
            long start = System.nanoTime();
            DescriptorExport export = exporter.publish(5, 0);
            try (FetchedDescriptor fetched = Service.fetch(export, 0)) {
                fetched.confirm();
            }
            assertThat(exporter.refusals).isEmpty();
            assertNamed(exporter.refusal(), RefusalReason.SILENT);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(Service.HANDSHAKE.minusMillis(50))
                    .isLessThan(Service.HANDSHAKE.plusSeconds(5));
            assertEnded(silent);
        }
    }

    @Test
    void halfAHeaderIsRefusedWhetherThePeerStaysOrGoes() throws Exception {
        byte[] half = new byte[Frame.BYTES / 2];
        System.arraycopy(Frame.link("nobody").encode(), 0, half, 0, half.length);
        try (Service exporter = new Service()) {
            try (LocalSocket goes = exporter.connect()) {
                goes.sendFully(ByteBuffer.wrap(half), Service.deadline());
            }
            assertNamed(exporter.refusal(), RefusalReason.HALF_HEADER);
            try (LocalSocket stays = exporter.connect()) {
                stays.sendFully(ByteBuffer.wrap(half), Service.deadline());
                Refusal refusal = exporter.refusal();
                assertNamed(refusal, RefusalReason.SILENT);
                assertThat(refusal.detail()).contains("received=" + half.length, "expected=" + Frame.BYTES);
            }
        }
    }

    @Test
    void garbageOfAnyLengthIsRefusedAndTheServiceGoesOn() throws Exception {
        long seed = 20;
        SplittableRandom random = new SplittableRandom(seed);
        try (Service exporter = new Service()) {
            for (int round = 0; round < 200; round++) {
                byte[] garbage = new byte[4 + random.nextInt(4 * Frame.BYTES)];
                random.nextBytes(garbage);
                try (LocalSocket socket = exporter.connect()) {
                    socket.sendFully(ByteBuffer.wrap(garbage), Service.deadline());
                    assertThat(exporter.refusal().reason())
                            .as("seed=%d round=%d", seed, round)
                            .isEqualTo(RefusalReason.GARBAGE);
                }
            }
            try (FetchedDescriptor fetched = Service.fetch(exporter.publish(6, 0), 0)) {
                assertThat(Service.mark(fetched.descriptor())).isEqualTo(6);
            }
        }
    }

    @Test
    void answersAndOtherVersionsAreNoRequests() throws Exception {
        try (Service exporter = new Service()) {
            byte[] answer = Frame.request(Service.KEY, 0, 1, 1)
                    .answer(Frame.Kind.GRANTED)
                    .encode();
            assertThat(exporter.ask(answer).reason()).isEqualTo(RefusalReason.GARBAGE.code());
            answer[5]++;
            assertThat(exporter.ask(answer).reason()).isEqualTo(RefusalReason.OTHER_VERSION.code());
            assertThat(exporter.ask(Frame.link("another process").encode()).reason())
                    .isEqualTo(RefusalReason.OTHER_PROCESS.code());
        }
    }

    @Test
    void theOldestOfTooManySilentPeersIsCrowdedOut() throws Exception {
        int allowed = 8;
        List<LocalSocket> silent = new ArrayList<>();
        try (Service exporter = new Service(allowed)) {
            DescriptorExport export = exporter.publish(7, 0);
            for (int i = 0; i <= allowed; i++) {
                silent.add(exporter.connect());
            }
            assertNamed(exporter.refusal(), RefusalReason.CROWDED_OUT);
            assertEnded(silent.get(0));
            try (FetchedDescriptor fetched = Service.fetch(export, 0)) {
                assertThat(Service.mark(fetched.descriptor())).isEqualTo(7);
            }
        } finally {
            silent.forEach(LocalSocket::close);
        }
    }

    @Test
    void closingIsBoundedAndIdempotentWithPeersInEveryPhase() throws Exception {
        Service exporter = new Service();
        DescriptorExport export = exporter.publish(8, 0);
        LocalSocket silent = exporter.connect();
        FetchedDescriptor unconfirmed = Service.fetch(export, 0);
        long start = System.nanoTime();
        exporter.close();
        exporter.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        assertThat(export.isOpen()).isFalse();
        assertEnded(silent);
        silent.close();
        unconfirmed.close();
    }

    /** The other end has closed, after whatever it still had to say. */
    private static void assertEnded(LocalSocket socket) throws Exception {
        long deadline = Service.deadline();
        while (true) {
            int received = socket.receive(ByteBuffer.allocate(Frame.BYTES));
            if (received == LocalSocket.END) {
                return;
            }
            assertThat(System.nanoTime())
                    .as("the service did not close in time")
                    .isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
