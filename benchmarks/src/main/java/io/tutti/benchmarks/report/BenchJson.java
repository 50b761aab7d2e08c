package io.tutti.benchmarks.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.benchmarks.measure.BenchRow;
import io.tutti.launcher.report.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The result of {@code bench} as JSON; the names are part of the public surface. */
public final class BenchJson {

    private BenchJson() {}

    /** One line. */
    public static String of(String driver, List<BenchRow> rows) {
        return Json.object(out -> {
            out.writeStringField("command", "bench");
            out.writeStringField("driver", driver);
            out.writeArrayFieldStart("rows");
            for (BenchRow row : rows) {
                row(out, row);
            }
            out.writeEndArray();
        });
    }

    private static void row(JsonGenerator out, BenchRow row) throws IOException {
        out.writeStartObject();
        out.writeNumberField("tokens", row.shape().tokens());
        out.writeNumberField("hidden", row.shape().hidden());
        out.writeStringField("dtype", row.shape().dtype().wireName());
        out.writeStringField("path", row.path().wireName());
        out.writeStringField("algorithm", row.algorithm().wireName());
        Json.number(out, "micros", Figures.micros(row.micros()));
        Json.number(out, "p99Micros", Figures.micros(row.p99Micros()));
        Json.number(out, "algbw", Figures.bandwidth(row.bandwidth().algorithm()));
        Json.number(out, "busbw", Figures.bandwidth(row.bandwidth().bus()));
        out.writeNumberField("wrong", row.wrong());
        out.writeObjectFieldStart("peers");
        for (Map.Entry<String, Double> peer : row.peers().entrySet()) {
            Json.number(out, peer.getKey(), Figures.micros(peer.getValue()));
        }
        out.writeEndObject();
        out.writeEndObject();
    }
}
