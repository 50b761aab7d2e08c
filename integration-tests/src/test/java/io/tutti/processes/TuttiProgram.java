package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The real program, started from its jar in a JVM of its own, with files for its output and a temporary folder of its
 * own. All its processes carry a mark on their command lines, by which they are found.
 */
final class TuttiProgram implements AutoCloseable {

    /** For a command on a machine that is busy with other things too. */
    static final Duration LIMIT = Duration.ofSeconds(150);

    private static final Duration POLL = Duration.ofMillis(5);
    private static final Path JAR = Path.of("..", "benchmarks", "target", "tutti.jar");

    private final Process process;
    private final String mark;
    private final Path folder;

    private TuttiProgram(Process process, String mark, Path folder) {
        this.process = process;
        this.mark = mark;
        this.folder = folder;
    }

    /** Starts a command. */
    static TuttiProgram start(Path parent, String... arguments) throws IOException {
        return start(parent, List.of(), arguments);
    }

    /**
     * Starts a command, with this module's test classes on every process's class path.
     *
     * @param jvmOptions which every process gets
     */
    static TuttiProgram start(Path parent, List<String> jvmOptions, String... arguments) throws IOException {
        assertThat(JAR).as("the jar that the module benchmarks builds").exists();
        String mark = "-Dtuttitest.mark=" + UUID.randomUUID();
        Path folder = Files.createDirectories(parent.resolve("program"));
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        // A shell starts what runs in the background with interrupts ignored, and a JVM would keep that.
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx256m",
                "-Xlog:disable",
                "-Djava.io.tmpdir=" + temporary,
                "-Djna.boot.library.path=" + natives(),
                mark));
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                JAR.toAbsolutePath().normalize()
                        + File.pathSeparator
                        + Path.of("target", "test-classes").toAbsolutePath(),
                "io.tutti.launcher.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
        return new TuttiProgram(process, mark, folder);
    }

    private static Path natives() {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "linux-aarch64" : "linux-x86-64";
        return JAR.resolveSibling(Path.of("native", "com", "sun", "jna", machine))
                .toAbsolutePath()
                .normalize();
    }

    /** How it ended, and what it wrote. */
    record Outcome(int status, String out, String err) {

        JsonNode json() throws IOException {
            return new ObjectMapper()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(out);
        }

        /** stdout of a program that must have ended with that status. */
        JsonNode json(int expected) throws IOException {
            assertThat(status).as("out: %s err: %s", out, err).isEqualTo(expected);
            return json();
        }

        /** The first communicator of a run that must have succeeded. */
        JsonNode communicator() throws IOException {
            assertThat(status).as("out: %s err: %s", out, err).isZero();
            return json().get("communicators").get(0);
        }

        String sha256() throws IOException {
            return communicator().get("operations").get("outputSha256").textValue();
        }

        /** The error of a run that must have failed with that status. */
        JsonNode error(int expected) throws IOException {
            assertThat(status).as("out: %s err: %s", out, err).isEqualTo(expected);
            return json().get("error");
        }
    }

    Outcome await() throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running; so far it said: " + err());
        }
        return new Outcome(process.exitValue(), Files.readString(folder.resolve("out")), err());
    }

    String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    /** The launcher's pid. */
    long pid() {
        return process.pid();
    }

    /** The rank processes that are there now, in the order of their numbers. */
    List<Long> rankProcesses() {
        return MarkedProcesses.pids(mark).stream()
                .filter(pid -> pid != process.pid())
                .sorted()
                .toList();
    }

    List<Long> awaitRankProcesses(int count) {
        return await(count + " rank processes", () -> {
            List<Long> pids = rankProcesses();
            return pids.size() == count ? pids : null;
        });
    }

    /** Waits for a text on stderr and returns all of stderr. */
    String awaitErr(String text) {
        return await("\"" + text + "\" on stderr", () -> {
            try {
                String err = err();
                return err.contains(text) ? err : null;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Waits until the supplier has something; fails with what was written so far. */
    private <T> T await(String what, Supplier<@Nullable T> condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            T value = condition.get();
            if (value != null) {
                return value;
            }
            if (!process.isAlive()) {
                break;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        try {
            throw new AssertionError("did not see " + what + "; alive=" + process.isAlive() + " stderr: " + err()
                    + " stdout: " + Files.readString(folder.resolve("out")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a signal, such as {@code KILL}, to processes at once. */
    static void signal(String name, List<Long> pids) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor(10, TimeUnit.SECONDS))
                .isTrue();
    }

    /** What this program must not leave; to be asked after it has ended. */
    LeftBehind leftBehind() {
        return new LeftBehind(mark, folder.resolve("tmp"));
    }

    /** Ends whatever a failed test has left. */
    @Override
    public void close() throws IOException, InterruptedException {
        List<Long> left = MarkedProcesses.pids(mark);
        if (!left.isEmpty()) {
            signal("KILL", left);
        }
    }
}
