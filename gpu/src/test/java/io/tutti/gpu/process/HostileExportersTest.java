package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.posix.LocalAddress;
import io.tutti.gpu.posix.LocalListener;
import io.tutti.gpu.posix.LocalSocket;
import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an importer does when the process at the offered address misbehaves. */
@Timeout(30)
final class HostileExportersTest {

    private static final byte[] SECRET = new byte[DescriptorHandle.SECRET_BYTES];

    private interface Exporter {
        void serve(LocalSocket importer, Frame request) throws Exception;
    }

    private final List<String> openBefore = OpenDescriptors.now();

    @AfterEach
    void nothingIsLeft() {
        assertThat(OpenDescriptors.now()).isEqualTo(openBefore);
    }

    /** Fetches from an exporter that behaves as it is told. */
    private static void fetchFrom(Exporter exporter, Duration patience) throws Exception {
        LocalAddress address = LocalService.addressOf(Service.newProcessId());
        try (LocalListener listener = LocalListener.listen(address, 1)) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (LocalSocket importer = accept(listener)) {
                    ByteBuffer request = ByteBuffer.allocate(Frame.BYTES);
                    importer.receiveFully(request, new ArrayList<>(), Service.deadline());
                    exporter.serve(importer, Frame.decode(request.flip()));
                    // Stays until the importer has had enough.
                    while (importer.receive(ByteBuffer.allocate(1)) != LocalSocket.END) {
                        Thread.onSpinWait();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            try {
                byte[] handle = new DescriptorHandle(address, 1, 1, SECRET).encode();
                FetchedDescriptor.fetch(handle, Service.KEY, 0, System.nanoTime() + patience.toNanos())
                        .close();
            } finally {
                served.get(Service.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    private static LocalSocket accept(LocalListener listener) throws Exception {
        LocalSocket socket = listener.accept();
        while (socket == null) {
            Thread.onSpinWait();
            socket = listener.accept();
        }
        return Objects.requireNonNull(socket);
    }

    /** A right answer with as many descriptors as told. */
    private static void answer(LocalSocket importer, Frame request, byte[] secret, int count) throws Exception {
        int descriptor = Service.memfd(1);
        int[] descriptors = new int[count];
        java.util.Arrays.fill(descriptors, descriptor);
        importer.send(
                ByteBuffer.wrap(
                        request.answer(Frame.Kind.GRANTED).sealedBy(secret).encode()),
                descriptors);
        Descriptors.close(descriptor);
    }

    @Test
    void aRightAnswerIsTaken() throws Exception {
        fetchFrom((importer, request) -> answer(importer, request, SECRET, 1), Service.PATIENCE);
    }

    @Test
    void silenceEndsAtTheDeadline() {
        long start = System.nanoTime();
        assertThatThrownBy(() -> fetchFrom((importer, request) -> {}, Duration.ofMillis(300)))
                .isInstanceOf(SocketTimeoutException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void halfAnAnswerEndsAtTheDeadline() {
        assertThatThrownBy(() -> fetchFrom(
                        (importer, request) -> importer.send(ByteBuffer.wrap(request.encode(), 0, 50)),
                        Duration.ofMillis(300)))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void anEndInsteadOfAnAnswerIsSaid() {
        assertThatThrownBy(() -> fetchFrom((importer, request) -> importer.close(), Service.PATIENCE))
                .isInstanceOf(Exception.class)
                .satisfies(e -> assertThat(e)
                        .isInstanceOfAny(EOFException.class, java.util.concurrent.ExecutionException.class));
    }

    @Test
    void garbageIsNoAnswer() {
        assertThatThrownBy(() -> fetchFrom(
                        (importer, request) -> importer.send(ByteBuffer.allocate(Frame.BYTES)), Service.PATIENCE))
                .hasMessageContaining("no header");
    }

    @Test
    void tooFewAndTooManyDescriptorsAreRefusedAndClosed() {
        for (int count : new int[] {0, 2, 253}) {
            assertThatThrownBy(() -> fetchFrom(
                            (importer, request) -> answer(importer, request, SECRET, count), Service.PATIENCE))
                    .hasMessageContaining("received=" + count)
                    .hasMessageContaining("expected=1");
        }
    }

    @Test
    void anAnswerOfSomebodyWithoutTheSecretIsRefused() {
        assertThatThrownBy(() -> fetchFrom(
                        (importer, request) -> answer(importer, request, new byte[] {1}, 1), Service.PATIENCE))
                .hasMessageContaining("seal is wrong");
    }

    @Test
    void anAnswerToAnotherRequestIsRefused() {
        assertThatThrownBy(() -> fetchFrom(
                        (importer, request) -> answer(importer, Frame.request(Service.KEY, 5, 1, 1), SECRET, 1),
                        Service.PATIENCE))
                .hasMessageContaining("for another request");
    }
}
