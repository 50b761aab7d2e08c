package io.tutti.benchmarks.report;

import io.tutti.benchmarks.forming.FormingRow;
import io.tutti.launcher.report.Json;
import java.util.List;
import java.util.Locale;

/** The figures of {@code bench-forming}, for people line by line, and as JSON; the names are part of the public surface. */
public final class FormingReport {

    private static final String LINE = " %15s %8s %11s %13s %14s %13s";

    private FormingReport() {}

    /** The headings, as a comment. */
    public static String header() {
        return "#"
                + String.format(LINE, "communicators", "ranks", "start(ms)", "forming(ms)", "us per rank", "msgs/rank");
    }

    /** One row. */
    public static String line(FormingRow row) {
        return " "
                + String.format(
                        LINE,
                        row.size().describe(),
                        row.size().allRanks(),
                        tenths(row.startMillis()),
                        tenths(row.formingMillis()),
                        tenths(row.microsPerRank()),
                        tenths(row.messagesPerRank()));
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** One line. */
    public static String json(String topology, List<FormingRow> rows) {
        return Json.object(out -> {
            out.writeStringField("command", "bench-forming");
            out.writeStringField("topology", topology);
            out.writeArrayFieldStart("rows");
            for (FormingRow row : rows) {
                out.writeStartObject();
                out.writeNumberField("communicators", row.size().communicators());
                out.writeNumberField("ranksOfEach", row.size().ranks());
                out.writeNumberField("ranks", row.size().allRanks());
                Json.number(out, "startMillis", row.startMillis());
                Json.number(out, "formingMillis", row.formingMillis());
                Json.number(out, "microsPerRank", row.microsPerRank());
                Json.number(out, "messagesPerRank", row.messagesPerRank());
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }
}
