package io.tutti.benchmarks.report;

import io.tutti.benchmarks.measure.BenchRow;
import java.util.List;
import java.util.stream.Collectors;

/** The figures as CSV by RFC 4180: the table's columns, one line of headings, a field empty where there is no figure. */
public final class BenchCsv {

    private static final String LINE_END = "\r\n";

    private BenchCsv() {}

    /** The whole file; peers are those that any row has a figure of. */
    public static String of(List<BenchRow> rows) {
        List<String> peers = rows.stream()
                .flatMap(row -> row.peers().keySet().stream())
                .distinct()
                .sorted()
                .toList();
        List<Columns.Column> columns = Columns.with(peers);
        StringBuilder text = new StringBuilder();
        text.append(line(columns.stream().map(Columns.Column::title).toList()));
        for (BenchRow row : rows) {
            text.append(line(
                    columns.stream().map(column -> column.value().apply(row)).toList()));
        }
        return text.toString();
    }

    private static String line(List<String> fields) {
        return fields.stream().map(BenchCsv::field).collect(Collectors.joining(",")) + LINE_END;
    }

    /** Quoted only where it has to be. */
    static String field(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
