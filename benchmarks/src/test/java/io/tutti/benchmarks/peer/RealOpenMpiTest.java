package io.tutti.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program itself, where this machine has Open MPI. */
class RealOpenMpiTest {

    private static final Duration START = Duration.ofSeconds(60);

    @TempDir
    Path cache;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theProgramComputesTheRightResultAndLeavesNothing(int ranks) throws Exception {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("XDG_CACHE_HOME", cache.toString());
        assumeTrue(installed(environment), "Open MPI is not installed");
        PeerOpening opening = OpenMpiPeer.open(ranks, environment, START);
        assertThat(opening).isInstanceOf(PeerOpening.Opened.class);
        List<ProcessHandle> processes;
        try (Peer peer = ((PeerOpening.Opened) opening).peer()) {
            processes = ProcessHandle.current().descendants().toList();
            assertThat(processes).hasSizeGreaterThan(ranks);
            for (long tokens : new long[] {1, 5, 70}) {
                PeerRequest request = new PeerRequest(tokens, 1032, DType.FP32, Epilogue.RESIDUAL_RMSNORM, 20, 5);
                Samples samples = peer.measure(request).toCompletableFuture().get(60, TimeUnit.SECONDS);
                assertThat(samples.count()).isEqualTo(20);
            }
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }

    private static boolean installed(Map<String, String> environment) {
        try {
            return !OpenMpiTools.find(environment).version().isEmpty();
        } catch (PeerException e) {
            return false;
        }
    }
}
