package io.tutti.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process: streams, signals, exit status. */
class MainTest {

    private static final long SECONDS = 60;

    /** From there on the JVM itself writes warnings about Pekko and Protobuf, as the start script knows too. */
    private static final int FIRST_TO_WARN_OF_UNSAFE = 23;

    @TempDir
    Path folder;

    private record Ended(int status, String out, String err) {}

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:disable",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= FIRST_TO_WARN_OF_UNSAFE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private Ended end(Process process) throws Exception {
        try {
            boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            assertThat(ended)
                    .as("ended within %d s; stderr: %s", SECONDS, Files.readString(folder.resolve("err")))
                    .isTrue();
            return new Ended(
                    process.exitValue(),
                    Files.readString(folder.resolve("out")),
                    Files.readString(folder.resolve("err")));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aRunPrintsOneJsonObjectAndEndsWithZero() throws Exception {
        Ended run = end(start("run", "--json", "--verbose", "--tokens=2", "--hidden=64", "--iterations=2"));
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode result = new ObjectMapper().readTree(run.out());
        assertThat(run.out().lines()).hasSize(1);
        assertThat(result.at("/communicators/0/operations/count").asInt()).isEqualTo(2);
        assertThat(run.err()).as("logs").contains("committed");
    }

    @Test
    void aQuietRunWritesNothingToStderr() throws Exception {
        Ended run = end(start("run", "--tokens=2", "--hidden=64", "--iterations=2"));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("communicator tp0");
        assertThat(run.err().lines().filter(line -> !line.startsWith("tp0: "))).isEmpty();
    }

    @Test
    void aMistakeEndsWithTwoBeforeAnyActorSystemIsLoaded() throws Exception {
        Ended run = end(start("run", "--ranks", "73"));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("--ranks").doesNotContain("\tat ");
    }

    @Test
    void sigtermClosesAndEndsWith143AndStillOneJsonObject() throws Exception {
        Process process = start("run", "--json", "--verbose", "--tokens=2", "--hidden=64", "--iterations=10000000");
        awaitLog(process, "committed");
        process.destroy();
        Ended run = end(process);
        assertThat(run.status()).as(run.err()).isEqualTo(143);
        JsonNode error = new ObjectMapper().readTree(run.out()).get("error");
        assertThat(error.get("code").asText()).as(run.err()).isEqualTo("aborted");
        assertThat(run.err()).contains("closed");
    }

    @Test
    @Timeout(60)
    void sigtermEndsPromptlyWhileASeedNodeDoesNotAnswer() throws Exception {
        Path file = Files.writeString(
                folder.resolve("seed.conf"), "tutti.cluster { seed-nodes = [\"127.0.0.1:1\"], form-timeout = 10 m }");
        Process process = start("run", "--json", "--verbose", "--config", file.toString());
        awaitLog(process, "Started up successfully");
        assertStopped(process);
    }

    @Test
    void sigtermWhileTheActorSystemStartsIsAnsweredToo() throws Exception {
        Process process = start("run", "--json", "--verbose", "--iterations=10000000");
        awaitLog(process, "Slf4jLogger started");
        assertStopped(process);
    }

    private void assertStopped(Process process) throws Exception {
        long start = System.nanoTime();
        process.destroy();
        Ended run = end(process);
        assertThat(run.status()).as(run.err()).isEqualTo(143);
        assertThat(new ObjectMapper().readTree(run.out()).at("/error/code").asText())
                .as(run.err())
                .isEqualTo("aborted");
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
                .as("seconds; stderr: %s", run.err())
                .isLessThan(15);
    }

    @Test
    void aSeedNodeThatNeverAnswersEndsTheRunAndIsNamed() throws Exception {
        Path file = Files.writeString(
                folder.resolve("seed.conf"), "tutti.cluster { seed-nodes = [\"127.0.0.1:1\"], form-timeout = 2 s }");
        Ended run = end(start("run", "--json", "--config", file.toString()));
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        JsonNode error = new ObjectMapper().readTree(run.out()).get("error");
        assertThat(error.get("code").asText()).isEqualTo("timeout");
        assertThat(error.get("message").asText()).contains("seedNodes=[127.0.0.1:1]");
    }

    private void awaitLog(Process process, String text) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        File err = folder.resolve("err").toFile();
        while (!Files.readString(err.toPath()).contains(text)) {
            assertThat(process.isAlive() && System.nanoTime() < deadline)
                    .as("waiting for \"%s\" in: %s", text, Files.readString(err.toPath()))
                    .isTrue();
            process.waitFor(50, TimeUnit.MILLISECONDS);
        }
    }
}
