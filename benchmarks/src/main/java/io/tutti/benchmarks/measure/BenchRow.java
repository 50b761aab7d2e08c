package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Bandwidth;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.PathKind;
import io.tutti.launcher.input.OperationShape;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of one shape.
 *
 * @param ranks world size
 * @param path the path that carried the last operation
 * @param algorithm the algorithm that carried it
 * @param graph operations that were launched together, 0 for single calls
 * @param micros median of ours
 * @param p99Micros 99th percentile of ours
 * @param wrong elements, over all ranks and outputs, that differ from the scalar reference
 * @param peers median of each peer in microseconds, by name; without those that could not be measured
 */
public record BenchRow(
        OperationShape shape,
        Epilogue epilogue,
        int ranks,
        PathKind path,
        Algorithm algorithm,
        int graph,
        double micros,
        double p99Micros,
        long wrong,
        Map<String, Double> peers) {

    public BenchRow {
        peers = Collections.unmodifiableMap(new TreeMap<>(peers));
    }

    /** Elements of one rank's partial. */
    public long count() {
        return shape.bytes() / shape.dtype().bytes();
    }

    public Bandwidth bandwidth() {
        return Bandwidth.of(shape.bytes(), micros, ranks);
    }
}
