package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A {@code libcuda.so.1} that records its arguments, and a process that makes calls to it. */
final class StandIn {

    /**
     * What one process did.
     *
     * @param output lines of its stdout
     * @param calls one line for each call that the stand-in received
     */
    record Run(List<String> output, List<String> calls) {

        /** The only line of a call. */
        String call(String name) {
            List<String> found = calls(name);
            assertThat(found).as("calls of " + name).hasSize(1);
            return found.get(0);
        }

        List<String> calls(String name) {
            return calls.stream()
                    .filter(line -> line.equals(name) || line.startsWith(name + " "))
                    .toList();
        }
    }

    private final Path folder;

    private StandIn(Path folder) {
        this.folder = folder;
    }

    /** Compiles it, or skips the test where there is no compiler. */
    static StandIn compile(Path folder) throws IOException, InterruptedException {
        boolean compiler = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "gcc")));
        Assumptions.assumeTrue(compiler, "SKIPPED: no gcc on the PATH, so the CUDA stand-in cannot be built");
        Path source = Path.of("src", "test", "native", "cuda_recorder.c").toAbsolutePath();
        Process gcc = new ProcessBuilder(
                        "gcc",
                        "-shared",
                        "-fPIC",
                        "-Wl,-soname,libcuda.so.1",
                        "-o",
                        folder.resolve("libcuda.so.1").toString(),
                        source.toString())
                .inheritIO()
                .start();
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(gcc.exitValue()).as("gcc's exit status").isZero();
        return new StandIn(folder);
    }

    /** Runs {@link StandInCaller} in a process of its own. */
    Run run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "calls", ".log");
        Path output = Files.createTempFile(folder, "output", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StandInCaller.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        builder.environment().put("STANDIN_LOG", log.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("the process did not end: " + Files.readString(output));
        }
        List<String> lines = Files.readAllLines(output);
        assertThat(process.exitValue()).as(() -> String.join("\n", lines)).isZero();
        return new Run(lines, Files.readAllLines(log));
    }
}
