package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What a program could leave on the machine: processes, and with them memory files and abstract sockets, which last only
 * as long as a process holds them; socket files and shared-memory objects; temporary files.
 *
 * @param mark on the command lines of its processes
 * @param temporary its folder for temporary files
 */
record LeftBehind(String mark, Path temporary) {

    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Waits, within a bound, until there is nothing. */
    void assertNothing() throws IOException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!MarkedProcesses.pids(mark).isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        assertThat(MarkedProcesses.pids(mark)).as("processes").isEmpty();
        assertThat(files(temporary)).as("temporary files").isEmpty();
        assertThat(files(SHARED_MEMORY).stream()
                        .filter(file -> file.getFileName().toString().startsWith("tutti"))
                        // The benchmark's MPI peer, which another test may be running.
                        .filter(file -> !file.getFileName().toString().startsWith("tutti-openmpi"))
                        .toList())
                .as("shared-memory objects")
                .isEmpty();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
