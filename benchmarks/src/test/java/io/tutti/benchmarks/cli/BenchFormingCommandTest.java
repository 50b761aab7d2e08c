package io.tutti.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.launcher.cli.CommandLineProgram;
import io.tutti.launcher.run.TuttiRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "emulated hosts share memory by descriptors")
class BenchFormingCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Console console = new Console(new PrintWriter(out), new PrintWriter(err), false, Map.of());
        return new CommandLineProgram(console, TuttiRuntime::start, new Waits()).run(arguments);
    }

    @Test
    void communicatorsThatFormAtOnceAreTimedAndTheirMessagesCounted() throws Exception {
        int status = run(
                "bench-forming", "--sizes=2,3x2", "--rounds=1", "--topology=gb200-nvl72-2x4", "--path=p2p", "--json");
        assertThat(status).as("%s", err).isZero();
        JsonNode result = new ObjectMapper().readTree(out.toString());
        assertThat(result.get("command").asText()).isEqualTo("bench-forming");
        assertThat(result.get("rows")).hasSize(2);
        JsonNode three = result.get("rows").get(1);
        assertThat(three.get("communicators").asInt()).isEqualTo(3);
        assertThat(three.get("ranksOfEach").asInt()).isEqualTo(2);
        assertThat(three.get("ranks").asInt()).isEqualTo(6);
        for (JsonNode row : result.get("rows")) {
            assertThat(row.get("formingMillis").asDouble())
                    .isPositive()
                    .isLessThan(row.get("startMillis").asDouble());
            // At least an order and an answer for each stage, and the commit's two.
            assertThat(row.get("messagesPerRank").asDouble()).isGreaterThan(20);
        }
    }

    @Test
    void aSizeThatNobodyCanFormIsBadUsage() {
        assertThat(run("bench-forming", "--sizes=8,8y8")).isEqualTo(2);
        assertThat(err.toString()).contains("'8y8' is not allowed").contains("36x8");
    }
}
