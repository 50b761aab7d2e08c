package io.tutti.gpu.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.process.LocalService;
import java.time.Duration;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The transport between two drivers and two services of one JVM. */
@Timeout(60)
final class PosixFdTransportTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int WORLD = 2;

    private static LocalService service() {
        return LocalService.start(ProcessHandle.current().pid() + "-" + UUID.randomUUID());
    }

    @Test
    void bothSeeOneMemoryAndEverythingIsGivenBack() throws Exception {
        try (LocalService ownerService = service();
                LocalService userService = service();
                PosixFdPeer owner = new PosixFdPeer(ownerService, WORLD, PATIENCE);
                PosixFdPeer user = new PosixFdPeer(userService, WORLD, PATIENCE)) {
            ExportedMemory exported = owner.export(0, 11);
            assertThat(exported.offer().handle().length).isLessThan(256);
            long liveBefore = user.driver().live().total();

            ImportedMemory imported = user.map(1, exported.offer());
            assertThat(user.read(imported.address())).isEqualTo(11);
            user.write(imported.address(), 12);
            exported.close();
            try (PosixFdPeer third = new PosixFdPeer(userService, WORLD, PATIENCE)) {
                assertThatThrownBy(() -> third.map(1, exported.offer())).hasMessageContaining("NOT_EXPORTED");
            }

            imported.close();
            assertThat(user.driver().live().total()).isEqualTo(liveBefore);
        }
    }

    @Test
    void theDriversRefusalReachesTheImporterWithItsCallAndResult() throws Exception {
        for (String call : new String[] {"cuMemImportFromShareableHandle", "cuMemMap", "cuMemSetAccess"}) {
            try (LocalService ownerService = service();
                    LocalService userService = service();
                    PosixFdPeer owner = new PosixFdPeer(ownerService, WORLD, PATIENCE);
                    PosixFdPeer user = new PosixFdPeer(
                            userService, WORLD, PATIENCE, "call=" + call + " result=CUDA_ERROR_UNKNOWN")) {
                MemoryOffer offer = offerFrom(owner, 0);
                long liveBefore = user.driver().live().total();
                assertRefused(() -> user.map(1, offer), ErrorCode.PREFLIGHT).satisfies(e -> {
                    assertThat(e.info().call()).isEqualTo(call);
                    assertThat(e.info().result()).isEqualTo("CUDA_ERROR_UNKNOWN");
                    assertThat(e)
                            .hasCauseInstanceOf(DriverException.class)
                            .hasMessageContaining("999")
                            .hasMessageContaining("rank 1 of process " + userService.processId())
                            .hasMessageContaining("rank 0 of process " + ownerService.processId());
                });
                assertThat(user.driver().live().total()).as(call).isEqualTo(liveBefore);
            }
        }
    }

    private static MemoryOffer offerFrom(PosixFdPeer owner, int rank) {
        return owner.export(rank, 1).offer();
    }

    private static org.assertj.core.api.ObjectAssert<TuttiException> assertRefused(
            ThrowingCallable call, ErrorCode code) {
        TuttiException refused = org.assertj.core.api.Assertions.catchThrowableOfType(TuttiException.class, call);
        assertThat(refused).isNotNull();
        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.info().rank()).isEqualTo(1);
        return org.assertj.core.api.Assertions.assertThatObject(refused);
    }

    @Test
    void aDescriptorThatWasClosedTooEarlyIsAnUnknownError() throws Exception {
        try (LocalService service = service();
                PosixFdPeer peer = new PosixFdPeer(service, WORLD, PATIENCE)) {
            assertThatThrownBy(() -> peer.driver().memImportFromShareableHandle(new ShareableHandle.PosixFd(1_000_000)))
                    .isInstanceOfSatisfying(
                            DriverException.class, e -> assertThat(e.result()).isEqualTo(CuResult.CUDA_ERROR_UNKNOWN));
        }
    }

    @Test
    void anExporterThatHasEndedIsRemote() throws Exception {
        try (LocalService userService = service();
                PosixFdPeer user = new PosixFdPeer(userService, WORLD, PATIENCE)) {
            LocalService ownerService = service();
            MemoryOffer offer;
            try (PosixFdPeer owner = new PosixFdPeer(ownerService, WORLD, PATIENCE)) {
                offer = offerFrom(owner, 0);
            }
            ownerService.close();
            assertRefused(() -> user.map(1, offer), ErrorCode.REMOTE)
                    .satisfies(e -> assertThat(e).hasMessageContaining(ownerService.processId()));
        }
    }

    @Test
    void junkInsteadOfAHandleIsRefused() throws Exception {
        try (LocalService service = service();
                PosixFdPeer peer = new PosixFdPeer(service, WORLD, PATIENCE)) {
            MemoryOffer offer = offerFrom(peer, 0);
            for (int length : new int[] {0, 1, 7, offer.handle().length - 1, offer.handle().length + 1}) {
                assertRefused(
                        () -> peer.map(1, offer.withHandle(java.util.Arrays.copyOf(offer.handle(), length))),
                        ErrorCode.PREFLIGHT);
            }
        }
    }
}
