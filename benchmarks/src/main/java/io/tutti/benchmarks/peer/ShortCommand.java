package io.tutti.benchmarks.peer;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A command that answers soon and is waited for.
 *
 * @param status its exit status
 * @param output what it wrote to stdout and stderr
 */
record ShortCommand(int status, String output) {

    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final File NOTHING = new File("/dev/null");

    /**
     * Runs it; it and its children are gone afterwards.
     *
     * @throws PeerException when it cannot be started or takes longer than the limit
     */
    static ShortCommand run(List<String> command, Map<String, String> environment, Duration limit) {
        Path output = null;
        try {
            // A file rather than a pipe: a child that stays behind cannot keep the reader waiting.
            output = Files.createTempFile("tutti-command", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(NOTHING)
                    .redirectOutput(output.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new PeerException(command.get(0) + " did not end within " + limit.toSeconds() + " s");
                }
            } finally {
                new ProcessTree(process).stop(GRACE);
            }
            return new ShortCommand(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new PeerException(command.get(0) + " could not be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerException("interrupted while waiting for " + command.get(0));
        } finally {
            PrivateFolder.deleteQuietly(output);
        }
    }

    /** The first line of the output that holds something. */
    String firstLine() {
        return output.lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("")
                .strip();
    }
}
