package io.tutti.benchmarks.peer;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code MPI_Allreduce} of Open MPI with a vectorised residual add and RMSNorm in C, one process per rank; fp32. The
 * program is {@code openmpi_norm.c}, which sleeps between requests and ends when its stdin does.
 */
public final class OpenMpiPeer implements Peer {

    /** Its name in tables and JSON. */
    public static final String NAME = "openmpi+norm";

    /** Memory as a file system, where there is one: the ranks' shared segments must never be written to a disk. */
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private static final String SCRATCH_PREFIX = "tutti-openmpi-";

    private final PeerProcess process;
    private final Path scratch;
    private final int ranks;

    private OpenMpiPeer(PeerProcess process, Path scratch, int ranks) {
        this.process = process;
        this.scratch = scratch;
        this.ranks = ranks;
    }

    /**
     * Finds Open MPI, builds the program where that is not done yet, and starts it.
     *
     * @param environment variables to look and run with, above all {@code PATH}
     * @param limit how long starting may take
     */
    public static PeerOpening open(int ranks, Map<String, String> environment, Duration limit) {
        try {
            OpenMpiTools tools = OpenMpiTools.find(environment);
            Path program = new OpenMpiProgram(tools, environment).executable();
            return new PeerOpening.Opened(start(tools, program, ranks, environment, limit));
        } catch (PeerException e) {
            return new PeerOpening.Absent(NAME, String.valueOf(e.getMessage()));
        }
    }

    private static OpenMpiPeer start(
            OpenMpiTools tools, Path program, int ranks, Map<String, String> environment, Duration limit) {
        Path scratch = scratch();
        PeerProcess process;
        try {
            int cores = Runtime.getRuntime().availableProcessors();
            process = PeerProcess.start(
                    NAME,
                    OpenMpiCommand.of(tools.mpirun(), program, ranks, cores, scratch),
                    OpenMpiCommand.environment(environment, scratch));
        } catch (PeerException e) {
            PrivateFolder.deleteQuietly(scratch);
            throw e;
        }
        OpenMpiPeer peer = new OpenMpiPeer(process, scratch, ranks);
        try {
            OpenMpiAnswer.ready(peer.firstLine(limit), ranks);
            return peer;
        } catch (PeerException e) {
            peer.close();
            throw e;
        }
    }

    private static Path scratch() {
        try {
            Path parent =
                    Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
            return PrivateFolder.makeNew(parent, SCRATCH_PREFIX);
        } catch (IOException e) {
            throw new PeerException("no scratch folder could be made: " + e);
        }
    }

    private String firstLine(Duration limit) {
        try {
            return process.first().toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new PeerException("it was not ready within " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof PeerException typed
                    ? typed
                    : new PeerException("it failed while starting: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerException("interrupted while it was starting");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean supports(PeerRequest request) {
        return request.dtype() == DType.FP32 && request.epilogue() == Epilogue.RESIDUAL_RMSNORM;
    }

    @Override
    public CompletionStage<Samples> measure(PeerRequest request) {
        String line = request.tokens() + " " + request.hidden() + " " + request.iterations() + " " + request.warmUp();
        return process.ask(line).thenApply(answer -> OpenMpiAnswer.samples(answer, request, ranks));
    }

    @Override
    public void close() {
        process.close();
        PrivateFolder.deleteQuietly(scratch);
    }
}
