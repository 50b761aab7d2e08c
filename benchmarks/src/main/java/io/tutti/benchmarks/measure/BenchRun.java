package io.tutti.benchmarks.measure;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRequest;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One run of the benchmark: starts the runtime, forms the communicator, measures every shape, and closes everything again,
 * also after a failure. Confined to one thread; another thread may stop it through {@link Waits}.
 */
public final class BenchRun {

    /**
     * What a run found out.
     *
     * @param rows in the order of the request's shapes
     * @param rejected why every better path was not taken
     */
    public record Outcome(List<BenchRow> rows, List<RejectedPath> rejected) {

        public Outcome {
            rows = List.copyOf(rows);
            rejected = List.copyOf(rejected);
        }

        /** Whether every element of every row was right. */
        public boolean right() {
            return rows.stream().allMatch(row -> row.wrong() == 0);
        }
    }

    private final RunRuntime.Starter starter;
    private final PeerDesk desk;
    private final Waits waits;
    private final Progress progress;

    /** @param desk the peers to measure beside ours; the caller closes it */
    public BenchRun(RunRuntime.Starter starter, PeerDesk desk, Waits waits, Progress progress) {
        this.starter = starter;
        this.desk = desk;
        this.waits = waits;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param config what to start the runtime with
     * @param limits for each shape
     * @param rows takes each row as soon as it is there
     * @throws TuttiException why there is no result
     */
    public Outcome run(
            BenchRequest request,
            Config config,
            Function<OperationShape, RunRequest.Limits> limits,
            Consumer<BenchRow> rows) {
        try {
            waits.checkpoint();
            return starter.use(config, runtime -> measure(request, runtime, limits, rows));
        } catch (RuntimeException e) {
            throw waits.explain(e);
        }
    }

    private Outcome measure(
            BenchRequest request,
            RunRuntime runtime,
            Function<OperationShape, RunRequest.Limits> limits,
            Consumer<BenchRow> rows) {
        Communicator communicator = waits.await(
                runtime.communicator(request.communicator()),
                limits.apply(request.shapes().get(0)).forming(),
                "communicator " + request.communicator() + " to form");
        List<BenchRow> measured = new ArrayList<>();
        for (OperationShape shape : request.shapes()) {
            BenchRow row = new RowRun(
                            communicator, request, shape, limits.apply(shape).operation(), desk, waits, progress)
                    .run();
            measured.add(row);
            rows.accept(row);
        }
        return new Outcome(measured, communicator.plan().rejected());
    }
}
