package io.tutti.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.launcher.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of the command line in a process of its own.
 *
 * @param status its exit status
 * @param json what stdout held
 * @param log what stderr held
 */
record CommandRun(int status, JsonNode json, String log) {

    private static final long PATIENCE_SECONDS = 150;

    /** Runs {@code tutti run --json} with ranks that may share devices. */
    static CommandRun run(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile("tutti-device-run", ".json");
        Path err = Files.createTempFile("tutti-device-run", ".log");
        try {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx2g",
                    "-XX:+UseSerialGC",
                    "-Xlog:disable",
                    "-Dtutti.devices.allow-sharing=true",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "run",
                    "--json"));
            command.addAll(List.of(arguments));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            // Ranks that share a device need a queue each, or one waits behind the other's kernel.
            builder.environment().put("CUDA_DEVICE_MAX_CONNECTIONS", "32");
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                fail("the command did not end: " + String.join(" ", arguments) + "\n" + Files.readString(err));
            }
            String text = Files.readString(out);
            return new CommandRun(process.exitValue(), new ObjectMapper().readTree(text), Files.readString(err));
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }

    /** Requires a right result and gives its hash. */
    String sha256() {
        assertThat(status).as(() -> json + "\n" + log).isIn(0, 3);
        assertThat(json.at("/communicators/0/operations/bitIdenticalAcrossRanks")
                        .asBoolean())
                .isTrue();
        return json.at("/communicators/0/operations/outputSha256").asText();
    }
}
