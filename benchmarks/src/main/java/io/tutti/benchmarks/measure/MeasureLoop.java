package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.CallFailures;
import io.tutti.launcher.run.RankTensors;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Measures the ranks that live in this process; with several processes each runs one, and {@link Samples#slowest} joins
 * what they measured. Every rank repeats its launch on its own; ranks are not held together between launches, the operation
 * itself does that. Confined to one thread.
 */
public final class MeasureLoop {

    private static final int LAUNCHES_TO_AN_END = 8;
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private final List<RankTensors> ranks;
    private final List<RankLaunch> launches;
    private final Waits waits;
    private List<RankLoop> loops = List.of();
    private List<CompletableFuture<RankLoop.Result>> results = List.of();

    /**
     * For the ranks that are loaded when it runs.
     *
     * @param ranks this process's
     * @param launches what each of them repeats
     */
    MeasureLoop(List<RankTensors> ranks, List<RankLaunch> launches, Waits waits) {
        this.ranks = ranks;
        this.launches = launches;
        this.waits = waits;
    }

    /**
     * Runs the warm-up, then the measured launches.
     *
     * @param iterations from 1
     * @param limit how long all of them may take
     * @param what names them in errors
     * @throws TuttiException the failure that explains best why one did not complete on every rank
     */
    public Burst run(int warmUp, int iterations, Duration limit, String what) {
        loops = launches.stream()
                .map(launch -> new RankLoop(launch, warmUp, iterations))
                .toList();
        results = loops.stream().map(RankLoop::start).toList();
        try {
            waits.await(all(), limit, what);
        } catch (TuttiException e) {
            TuttiException failure = CallFailures.explain(e, results, ranks, what);
            end();
            throw failure;
        }
        List<RankLoop.Result> measured =
                results.stream().map(CompletableFuture::join).toList();
        return new Burst(
                Samples.slowest(measured.stream().map(RankLoop.Result::samples).toList()),
                measured.get(0).last().path(),
                measured.get(0).last().algorithm());
    }

    /** Whether no launch is under way any more, so that the tensors may be given back. */
    public boolean settled() {
        return results.stream().allMatch(CompletableFuture::isDone);
    }

    private CompletableFuture<Void> all() {
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new));
    }

    /** Ends loops that go on, at a launch that every rank still comes to, and gives them a moment to get there. */
    private void end() {
        int last = loops.stream().mapToInt(RankLoop::made).max().orElse(0) + LAUNCHES_TO_AN_END;
        loops.forEach(loop -> loop.endAfter(last));
        try {
            all().get(SETTLING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            // Settled or not, the failure that led here is the one to tell.
        }
    }
}
