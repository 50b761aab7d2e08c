package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.CallFailures;
import io.tutti.launcher.run.RankTensors;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Measures the ranks that live in this process; with several processes each runs one, and {@link Samples#slowest} joins
 * what they measured. Every rank repeats its call on its own; ranks are not held together between calls, the operation
 * itself does that. Confined to one thread.
 */
public final class MeasureLoop {

    private final List<RankTensors> ranks;
    private final Waits waits;
    private List<CompletableFuture<RankLoop.Result>> loops = List.of();

    /** @param ranks this process's, loaded with the inputs */
    public MeasureLoop(List<RankTensors> ranks, Waits waits) {
        this.ranks = ranks;
        this.waits = waits;
    }

    /**
     * Runs the warm-up, then the measured operations.
     *
     * @param iterations from 1
     * @param limit how long all of them may take
     * @param what names them in errors
     * @throws TuttiException the failure that explains best why one did not complete on every rank
     */
    public Burst run(int warmUp, int iterations, Duration limit, String what) {
        List<RankLoop> prepared = ranks.stream()
                .map(rank -> new RankLoop(rank.target(), rank.request(), warmUp, iterations))
                .toList();
        loops = prepared.stream().map(RankLoop::start).toList();
        try {
            waits.await(CompletableFuture.allOf(loops.toArray(CompletableFuture[]::new)), limit, what);
        } catch (TuttiException e) {
            throw CallFailures.explain(e, loops, ranks, what);
        }
        List<RankLoop.Result> results =
                loops.stream().map(CompletableFuture::join).toList();
        return new Burst(
                Samples.slowest(results.stream().map(RankLoop.Result::samples).toList()),
                results.get(0).last());
    }

    /** Whether no call is under way any more, so that the tensors may be given back. */
    public boolean settled() {
        return loops.stream().allMatch(CompletableFuture::isDone);
    }
}
