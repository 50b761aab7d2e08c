package io.tutti.benchmarks.report;

import io.tutti.benchmarks.measure.BenchRow;
import java.util.List;
import java.util.stream.Collectors;

/** The figures for people, line by line, so that each row can be shown as soon as it is measured. */
public final class BenchTable {

    private static final String NO_VALUE = "-";
    private static final String GAP = "  ";

    private final List<Columns.Column> columns;

    /** @param peers the peers that get a column */
    public BenchTable(List<String> peers) {
        this.columns = Columns.with(peers);
    }

    /** The headings, as a comment. */
    public String header() {
        return "#" + GAP
                + columns.stream().map(column -> padded(column.title(), column)).collect(Collectors.joining(GAP));
    }

    /** One row. */
    public String line(BenchRow row) {
        return " " + GAP
                + columns.stream()
                        .map(column -> padded(shown(column.value().apply(row)), column))
                        .collect(Collectors.joining(GAP));
    }

    private static String shown(String value) {
        return value.isEmpty() ? NO_VALUE : value;
    }

    private static String padded(String text, Columns.Column column) {
        int width = Math.max(column.width(), column.title().length());
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
