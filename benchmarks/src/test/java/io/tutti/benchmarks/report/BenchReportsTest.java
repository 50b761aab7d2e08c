package io.tutti.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.benchmarks.measure.BenchRow;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.PathKind;
import io.tutti.launcher.input.OperationShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchReportsTest {

    private static final BenchRow WITH_PEER = row(64, 4, 500.0, 0, Map.of("openmpi+norm", 1249.123456));
    private static final BenchRow WITHOUT = row(1, 4, 12.3456, 7, Map.of());

    private static BenchRow row(long tokens, int ranks, double micros, long wrong, Map<String, Double> peers) {
        return new BenchRow(
                new OperationShape(tokens, 4096, DType.FP32),
                Epilogue.RESIDUAL_RMSNORM,
                ranks,
                PathKind.P2P,
                Algorithm.ONE_SHOT,
                50,
                micros,
                2 * micros,
                wrong,
                peers);
    }

    @Test
    void jsonHasExactlyThePublishedNames() throws Exception {
        JsonNode json = new ObjectMapper().readTree(BenchJson.of("host", List.of(WITH_PEER, WITHOUT)));
        assertThat(names(json)).containsExactly("command", "driver", "rows");
        assertThat(json.get("command").asText()).isEqualTo("bench");
        assertThat(json.get("driver").asText()).isEqualTo("host");
        JsonNode row = json.get("rows").get(0);
        assertThat(names(row))
                .containsExactly(
                        "tokens",
                        "hidden",
                        "dtype",
                        "path",
                        "algorithm",
                        "micros",
                        "p99Micros",
                        "algbw",
                        "busbw",
                        "wrong",
                        "peers");
        assertThat(row.get("tokens").asLong()).isEqualTo(64);
        assertThat(row.get("hidden").asInt()).isEqualTo(4096);
        assertThat(row.get("dtype").asText()).isEqualTo("fp32");
        assertThat(row.get("path").asText()).isEqualTo("p2p");
        assertThat(row.get("algorithm").asText()).isEqualTo("one-shot");
        assertThat(row.get("micros").asDouble()).isEqualTo(500.0);
        assertThat(row.get("p99Micros").asDouble()).isEqualTo(1000.0);
        // 1 MiB in 500 µs; four ranks put 1.5 times that on each link.
        assertThat(row.get("algbw").asDouble()).isEqualTo(2.0972);
        assertThat(row.get("busbw").asDouble()).isEqualTo(3.1457);
        assertThat(row.get("wrong").asLong()).isZero();
        assertThat(row.get("peers").toString()).isEqualTo("{\"openmpi+norm\":1249.12}");
    }

    @Test
    void aPeerWithoutAFigureIsAbsentFromJson() throws Exception {
        JsonNode json = new ObjectMapper().readTree(BenchJson.of("host", List.of(WITHOUT)));
        assertThat(json.get("rows").get(0).get("peers").toString()).isEqualTo("{}");
        assertThat(json.get("rows").get(0).get("micros").asDouble()).isEqualTo(12.35);
        assertThat(json.get("rows").get(0).get("wrong").asLong()).isEqualTo(7);
    }

    @Test
    void theTableHasTheColumnsOfNcclTestsAndOneForEachPeer() {
        BenchTable table = new BenchTable(List.of("openmpi+norm"));
        assertThat(table.header().split("\\s+"))
                .containsExactly(
                        "#",
                        "size(B)",
                        "count",
                        "type",
                        "redop",
                        "tokens",
                        "hidden",
                        "path",
                        "algo",
                        "graph",
                        "time(us)",
                        "p99(us)",
                        "algbw(GB/s)",
                        "busbw(GB/s)",
                        "#wrong",
                        "openmpi+norm(us)");
        assertThat(table.line(WITH_PEER).strip().split("\\s+"))
                .containsExactly(
                        "1048576",
                        "262144",
                        "fp32",
                        "sum",
                        "64",
                        "4096",
                        "p2p",
                        "one-shot",
                        "50",
                        "500.00",
                        "1000.00",
                        "2.0972",
                        "3.1457",
                        "0",
                        "1249.12");
    }

    @Test
    void everyLineOfTheTableEndsUnderItsHeading() {
        BenchTable table = new BenchTable(List.of("openmpi+norm"));
        assertThat(table.line(WITH_PEER)).hasSameSizeAs(table.header());
        assertThat(table.line(WITHOUT)).hasSameSizeAs(table.header()).endsWith("  -");
    }

    @Test
    void csvHasALineForEachRowAndAnEmptyFieldWithoutAFigure() {
        assertThat(BenchCsv.of(List.of(WITH_PEER, WITHOUT)).split("\r\n"))
                .containsExactly(
                        "size(B),count,type,redop,tokens,hidden,path,algo,graph,time(us),p99(us),algbw(GB/s),busbw(GB/s),"
                                + "#wrong,openmpi+norm(us)",
                        "1048576,262144,fp32,sum,64,4096,p2p,one-shot,50,500.00,1000.00,2.0972,3.1457,0,1249.12",
                        "16384,4096,fp32,sum,1,4096,p2p,one-shot,50,12.35,24.69,1.3271,1.9907,7,");
    }

    @Test
    void csvQuotesWhatWouldOtherwiseBreakALine() {
        assertThat(BenchCsv.field("plain text")).isEqualTo("plain text");
        assertThat(BenchCsv.field("a,b")).isEqualTo("\"a,b\"");
        assertThat(BenchCsv.field("say \"it\"")).isEqualTo("\"say \"\"it\"\"\"");
        assertThat(BenchCsv.field("two\nlines")).isEqualTo("\"two\nlines\"");
        BenchRow odd = row(1, 2, 1.0, 0, Map.of("mpi, \"fast\"", 3.0));
        assertThat(BenchCsv.of(List.of(odd)).lines().findFirst().orElseThrow())
                .endsWith("#wrong,\"mpi, \"\"fast\"\"(us)\"");
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
