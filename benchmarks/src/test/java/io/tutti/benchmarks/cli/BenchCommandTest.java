package io.tutti.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.benchmarks.peer.FakeOpenMpi;
import io.tutti.launcher.cli.CommandLineProgram;
import io.tutti.launcher.run.TuttiRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as the launcher finds it, on the real runtime and the host driver, beside a peer that is a script. */
class BenchCommandTest {

    private static final String[] SMALL = {
        "bench", "--ranks", "2", "--tokens", "1,3", "--hidden", "64,128", "--iterations", "7"
    };

    @TempDir
    Path folder;

    private FakeOpenMpi fake;

    private record Invocation(int status, String out, String err) {}

    @BeforeEach
    void makeTools() {
        fake = new FakeOpenMpi(folder);
        fake.compiler(FakeOpenMpi.GOOD_COMPILER);
    }

    @Test
    void jsonHasARowForEachSizeWithTheFigureOfThePeer() throws IOException {
        fake.starter(FakeOpenMpi.READY + FakeOpenMpi.ANSWERS);
        Invocation run = run(fake.environment(), "--json", "--dtype", "fp32,bf16");
        assertThat(run.err()).doesNotContain("left out");
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode rows = json(run).get("rows");
        assertThat(rows).hasSize(8);
        for (JsonNode row : rows) {
            assertThat(row.get("wrong").asLong()).isZero();
            assertThat(row.get("micros").asDouble()).isPositive();
            assertThat(row.get("p99Micros").asDouble())
                    .isGreaterThanOrEqualTo(row.get("micros").asDouble());
            assertThat(row.get("peers").has("openmpi+norm"))
                    .isEqualTo(row.get("dtype").asText().equals("fp32"));
        }
        // Its operations take 1, 2, 3, ... µs, and a graph of ours has 50.
        assertThat(rows.get(0).get("peers").get("openmpi+norm").asDouble()).isEqualTo(25.5);
        assertThat(rows.get(1).get("tokens").asLong()).isEqualTo(3);
        assertThat(rows.get(2).get("hidden").asInt()).isEqualTo(128);
    }

    @Test
    void withoutOpenMpiThePeerIsAbsentAndALineSaysWhy() throws IOException {
        Invocation run = run(Map.of("PATH", folder.toString()), "--json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).contains("the peer openmpi+norm is left out: mpicc is not on the PATH");
        assertThat(json(run).get("rows").get(0).get("peers")).isEmpty();
    }

    @Test
    void aPeerThatDiesIsLeftOutAndOursIsMeasuredAllTheSame() throws IOException {
        fake.starter(FakeOpenMpi.READY + "read -r line; echo 'segmentation fault' >&2; exit 139");
        Invocation run = run(fake.environment(), "--json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).containsOnlyOnce("left out from here on: it ended with status 139: segmentation fault");
        assertThat(json(run).get("rows"))
                .hasSize(4)
                .allMatch(row -> row.get("peers").isEmpty());
    }

    @Test
    void theTableAndTheCsvFileHoldTheSameRows() throws IOException {
        fake.starter(FakeOpenMpi.READY + FakeOpenMpi.ANSWERS);
        Path csv = folder.resolve("figures.csv");
        Invocation run = run(fake.environment(), "--csv", csv.toString());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out().lines().filter(line -> !line.startsWith("#"))).hasSize(4);
        assertThat(run.out())
                .startsWith("# 2 ranks in 1 process, driver host, residual-rmsnorm")
                .contains("openmpi+norm(us)");
        assertThat(Files.readString(csv).lines()).hasSize(5);
        assertThat(Files.readAllLines(csv).get(0))
                .startsWith("size(B),count,type,redop,")
                .endsWith(",openmpi+norm(us)");
    }

    @Test
    void mistakesAreFoundBeforeAnythingStarts() {
        assertThat(run(Map.of(), "--csv", folder.toString()).status()).isEqualTo(2);
        assertThat(run(Map.of(), "--tokens", "1,,2").status()).isEqualTo(2);
        assertThat(run(Map.of(), "--tokens", "0").status()).isEqualTo(2);
        assertThat(run(Map.of(), "--graph", "-1").err()).contains("--graph").contains("0 to 1000");
        assertThat(run(Map.of(), "--hidden", "12").err()).contains("not a multiple of 8");
        assertThat(run(Map.of(), "--dtype", "fp8").err()).contains("allowed: bf16, fp16, fp32");
    }

    @Test
    void helpStatesTheMethod() {
        Invocation run = run(Map.of(), "--help");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("Method:")
                .contains("slowest rank counts")
                .contains("openmpi+norm");
    }

    private static Invocation run(Map<String, String> environment, String... more) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Console console = new Console(new PrintWriter(out), new PrintWriter(err), false, environment);
        String[] arguments =
                Stream.concat(Arrays.stream(SMALL), Arrays.stream(more)).toArray(String[]::new);
        int status = new CommandLineProgram(console, TuttiRuntime::start, new Waits()).run(arguments);
        return new Invocation(status, out.toString(), err.toString());
    }

    private static JsonNode json(Invocation run) throws IOException {
        return new ObjectMapper()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .readTree(run.out());
    }
}
