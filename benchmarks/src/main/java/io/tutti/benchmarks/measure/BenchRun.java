package io.tutti.benchmarks.measure;

import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** One run of the benchmark on ranks that are ready: a row for each shape. Confined to one thread. */
public final class BenchRun {

    /**
     * What a run found out.
     *
     * @param rows in the order of the request's shapes
     * @param promiseRefused whether something that the facts promised was refused when it was tried
     */
    public record Outcome(List<BenchRow> rows, boolean promiseRefused) {

        public Outcome {
            rows = List.copyOf(rows);
        }

        /** Whether every element of every row was right. */
        public boolean right() {
            return rows.stream().allMatch(row -> row.wrong() == 0);
        }
    }

    private final BenchRequest request;
    private final Function<OperationShape, RunRequest.Limits> limits;
    private final PeerDesk desk;
    private final Progress progress;
    private final Consumer<BenchRow> rows;

    /**
     * @param limits for each shape
     * @param desk the peers to measure beside ours; the caller closes it
     * @param rows takes each row as soon as it is there
     */
    public BenchRun(
            BenchRequest request,
            Function<OperationShape, RunRequest.Limits> limits,
            PeerDesk desk,
            Progress progress,
            Consumer<BenchRow> rows) {
        this.request = request;
        this.limits = limits;
        this.desk = desk;
        this.progress = progress;
        this.rows = rows;
    }

    /**
     * Measures.
     *
     * @throws io.tutti.gpu.TuttiException why there is no result
     */
    public Outcome run(OurRanks ranks) {
        List<BenchRow> measured = new ArrayList<>();
        for (OperationShape shape : request.shapes()) {
            BenchRow row = new RowRun(ranks, request, shape, limits.apply(shape).operation(), desk, progress).run();
            measured.add(row);
            rows.accept(row);
        }
        return new Outcome(measured, ranks.promiseRefused());
    }
}
