package io.tutti.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The peer around scripts in the place of Open MPI, so that every way of failing can be had. */
class OpenMpiPeerTest {

    private static final Duration START = Duration.ofSeconds(30);
    private static final long WAIT_SECONDS = 30;

    @TempDir
    Path folder;

    private FakeOpenMpi fake;
    private Set<Path> scratchBefore;

    @BeforeEach
    void makeTools() {
        fake = new FakeOpenMpi(folder);
        fake.compiler(FakeOpenMpi.GOOD_COMPILER);
        scratchBefore = scratchFolders();
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(ProcessHandle.current().descendants().map(ProcessHandle::info))
                .as("processes that outlive the peer")
                .isEmpty();
        assertThat(scratchFolders()).as("scratch folders").isEqualTo(scratchBefore);
    }

    @Test
    void everyIterationsTimeIsReturned() throws Exception {
        fake.starter(FakeOpenMpi.READY + FakeOpenMpi.ANSWERS);
        try (Peer peer = open()) {
            Samples samples = measure(peer, request(8, 3));
            assertThat(samples.count()).isEqualTo(3);
            assertThat(samples.medianMicros()).isEqualTo(2.0);
            assertThat(measure(peer, request(64, 5)).p99Micros()).isEqualTo(5.0);
        }
    }

    @Test
    void onlyFp32WithResidualAndNormIsSupported() {
        fake.starter(FakeOpenMpi.READY + FakeOpenMpi.ANSWERS);
        try (Peer peer = open()) {
            assertThat(peer.supports(request(1, 1))).isTrue();
            assertThat(peer.supports(new PeerRequest(1, 64, DType.BF16, Epilogue.RESIDUAL_RMSNORM, 1, 0)))
                    .isFalse();
            assertThat(peer.supports(new PeerRequest(1, 64, DType.FP32, Epilogue.ALL_REDUCE, 1, 0)))
                    .isFalse();
        }
    }

    @Test
    void withoutACompilerItIsAbsentWithTheReason() throws IOException {
        fake.starter(FakeOpenMpi.READY);
        Files.delete(fake.bin().resolve("mpicc"));
        assertThat(reasonOfAbsence()).isEqualTo("mpicc is not on the PATH; on Debian: apt-get install libopenmpi-dev");
    }

    @Test
    void withoutAStarterItIsAbsentWithTheReason() {
        assertThat(reasonOfAbsence()).isEqualTo("mpirun is not on the PATH; on Debian: apt-get install openmpi-bin");
    }

    @Test
    void anotherMpiIsRefused() {
        fake.tool("mpirun", "echo 'HYDRA build details:'");
        assertThat(reasonOfAbsence()).contains("Open MPI 4 is needed").contains("HYDRA build details:");
    }

    @Test
    void aCompilerErrorIsTheReason() {
        fake.starter(FakeOpenMpi.READY);
        fake.compiler("echo 'openmpi_norm.c:12: error: mpi.h is gone' >&2; exit 1");
        assertThat(reasonOfAbsence()).contains("status=1").contains("mpi.h is gone");
    }

    @Test
    void aBuildIsKeptAndOneThatFailedIsNot() throws IOException {
        fake.starter(FakeOpenMpi.READY + FakeOpenMpi.ANSWERS);
        fake.compiler("exit 1");
        assertThat(reasonOfAbsence()).contains("mpicc could not compile it");
        fake.compiler(FakeOpenMpi.GOOD_COMPILER);
        open().close();
        fake.compiler("exit 1");
        open().close();
        try (Stream<Path> kept = Files.list(fake.cache().resolve("tutti/peers"))) {
            assertThat(kept).hasSize(1);
        }
    }

    @Test
    void aCacheFolderThatCannotBeMadeIsTheReason() throws IOException {
        fake.starter(FakeOpenMpi.READY);
        Files.writeString(fake.cache(), "a file in the way");
        assertThat(reasonOfAbsence()).contains("could not be kept in").contains("XDG_CACHE_HOME");
    }

    @Test
    void oneThatEndsWhileStartingIsAbsentWithItsOwnWords() {
        fake.starter("echo 'no slots available' >&2; exit 7");
        assertThat(reasonOfAbsence()).isEqualTo("it ended with status 7: no slots available");
    }

    @Test
    void oneThatNeverIsReadyIsEndedWithItsChildren() {
        fake.starter("trap '' TERM; sleep 600 & sleep 600");
        assertThat(reason(OpenMpiPeer.open(2, fake.environment(), Duration.ofMillis(300))))
                .startsWith("it was not ready within");
    }

    @Test
    void oneThatSpeaksOtherwiseIsAbsent() {
        fake.starter("echo hello; exec sleep 600");
        assertThat(reasonOfAbsence()).isEqualTo("it answered no JSON object: hello");
    }

    @Test
    void aCrashFailsTheRequestUnderWayAndEveryLaterOne() {
        fake.starter(FakeOpenMpi.READY + "read -r line; echo 'rank 1 exited on signal 11' >&2; exit 139");
        try (Peer peer = open()) {
            String crash = "it ended with status 139: rank 1 exited on signal 11";
            assertThatThrownBy(() -> measure(peer, request(1, 1))).cause().hasMessage(crash);
            assertThatThrownBy(() -> measure(peer, request(1, 1))).cause().hasMessage(crash);
        }
    }

    @Test
    void aRequestThatIsNeverAnsweredFailsWhenThePeerIsClosed() throws Exception {
        fake.starter(FakeOpenMpi.READY + "trap '' TERM; sleep 600 & read -r line; sleep 600");
        Peer peer = open();
        var answer = peer.measure(request(1, 1)).toCompletableFuture();
        peer.close();
        peer.close();
        assertThatThrownBy(() -> answer.get(WAIT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(PeerException.class);
    }

    @Test
    void aWrongResultIsNoMeasurement() {
        fake.starter(FakeOpenMpi.READY
                + "read -r line; echo '{\"ranks\":2,\"tokens\":1,\"hidden\":64,\"wrong\":3,\"nanos\":[1000]}'");
        try (Peer peer = open()) {
            assertThatThrownBy(() -> measure(peer, request(1, 1)))
                    .cause()
                    .hasMessage("its result is wrong: wrongElements=3 tokens=1 hidden=64");
        }
    }

    private static PeerRequest request(long tokens, int iterations) {
        return new PeerRequest(tokens, 64, DType.FP32, Epilogue.RESIDUAL_RMSNORM, iterations, 0);
    }

    private static Samples measure(Peer peer, PeerRequest request) throws Exception {
        return peer.measure(request).toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private Peer open() {
        PeerOpening opening = OpenMpiPeer.open(2, fake.environment(), START);
        assertThat(opening).isInstanceOf(PeerOpening.Opened.class);
        return ((PeerOpening.Opened) opening).peer();
    }

    private String reasonOfAbsence() {
        return reason(OpenMpiPeer.open(2, fake.environment(), START));
    }

    private static String reason(PeerOpening opening) {
        assertThat(opening).isInstanceOf(PeerOpening.Absent.class);
        return ((PeerOpening.Absent) opening).reason();
    }

    private static Set<Path> scratchFolders() {
        Set<Path> found = new java.util.HashSet<>();
        for (Path parent : List.of(Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir")))) {
            try (Stream<Path> entries = Files.list(parent)) {
                found.addAll(
                        entries.filter(entry -> entry.getFileName().toString().startsWith("tutti-openmpi-"))
                                .collect(Collectors.toSet()));
            } catch (IOException e) {
                // A folder that this system does not have holds nothing.
            }
        }
        return found;
    }
}
