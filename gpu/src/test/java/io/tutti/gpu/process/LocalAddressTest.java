package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.posix.LocalAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class LocalAddressTest {

    @Test
    void anAddressSurvivesItsMessage() {
        for (LocalAddress address : List.of(
                new LocalAddress.Abstract("tutti-1-é"),
                new LocalAddress.SocketFile("/run/tutti/socket"),
                new LocalAddress.Abstract("x".repeat(LocalAddress.MAX_BYTES)))) {
            ByteBuffer bytes = ByteBuffer.wrap(address.encode());
            assertThat(LocalAddress.decode(bytes)).isEqualTo(address);
            assertThat(bytes.hasRemaining()).isFalse();
        }
    }

    @Test
    void whatTheKernelCannotHoldIsRefused() {
        assertThatThrownBy(() -> new LocalAddress.Abstract("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LocalAddress.SocketFile("/" + "x".repeat(LocalAddress.MAX_BYTES)))
                .hasMessageContaining("bytes=108");
        assertThatThrownBy(() -> LocalAddress.decode(ByteBuffer.wrap(new byte[] {'q', 1, 'x'})))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aServiceAtASocketFileWorksAndRemovesIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("socket");
        LocalService.Settings defaults = LocalService.Settings.of(Service.newProcessId());
        LocalService.Settings settings = new LocalService.Settings(
                defaults.processId(),
                new LocalAddress.SocketFile(file.toString()),
                defaults.handshakeTimeout(),
                defaults.confirmTimeout(),
                defaults.maxPending(),
                defaults.maxLinks(),
                defaults.onRefusal());
        try (LocalService service = LocalService.start(settings)) {
            assertThat(file).exists();
            DescriptorExport export = service.publish(Service.KEY, Service.memfd(9), Set.of(0));
            try (FetchedDescriptor fetched = Service.fetch(export, 0)) {
                assertThat(Service.mark(fetched.descriptor())).isEqualTo(9);
            }
        }
        assertThat(Files.exists(file)).isFalse();
    }
}
