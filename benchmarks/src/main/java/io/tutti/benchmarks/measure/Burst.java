package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.PathKind;
import java.util.List;

/**
 * One uninterrupted series of operations.
 *
 * @param slowest for each measured operation the duration on the rank that took longest
 * @param path the path that carried the last one
 * @param algorithm the algorithm that carried it
 */
public record Burst(Samples slowest, PathKind path, Algorithm algorithm) {

    /** The same series as several processes measured it on their ranks; at least one. */
    static Burst join(List<Burst> parts) {
        Burst first = parts.get(0);
        return new Burst(Samples.slowest(parts.stream().map(Burst::slowest).toList()), first.path(), first.algorithm());
    }
}
