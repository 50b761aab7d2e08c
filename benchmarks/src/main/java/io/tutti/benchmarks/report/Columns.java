package io.tutti.benchmarks.report;

import io.tutti.benchmarks.measure.BenchRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The columns of table and CSV: those that users of nccl-tests know, then one for each peer. */
final class Columns {

    /**
     * One column.
     *
     * @param title its heading
     * @param width characters of the widest ordinary value
     * @param value a row's text, empty where there is none
     */
    record Column(String title, int width, Function<BenchRow, String> value) {}

    private Columns() {}

    static List<Column> with(List<String> peers) {
        List<Column> columns = new ArrayList<>(List.of(
                new Column("size(B)", 11, row -> Long.toString(row.shape().bytes())),
                new Column("count", 10, row -> Long.toString(row.count())),
                new Column("type", 4, row -> row.shape().dtype().wireName()),
                new Column("redop", 5, row -> "sum"),
                new Column("tokens", 6, row -> Long.toString(row.shape().tokens())),
                new Column("hidden", 6, row -> Integer.toString(row.shape().hidden())),
                new Column("path", 6, row -> row.path().wireName()),
                new Column("algo", 8, row -> row.algorithm().wireName()),
                new Column("graph", 5, row -> Integer.toString(row.graph())),
                new Column("time(us)", 9, row -> micros(row.micros())),
                new Column("p99(us)", 9, row -> micros(row.p99Micros())),
                new Column("algbw(GB/s)", 11, row -> bandwidth(row.bandwidth().algorithm())),
                new Column("busbw(GB/s)", 11, row -> bandwidth(row.bandwidth().bus())),
                new Column("#wrong", 6, row -> Long.toString(row.wrong()))));
        for (String peer : peers) {
            columns.add(new Column(peer + "(us)", 9, row -> {
                Double micros = row.peers().get(peer);
                return micros == null ? "" : micros(micros);
            }));
        }
        return columns;
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String bandwidth(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
