package io.tutti.benchmarks.measure;

import io.tutti.launcher.input.OperationShape;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is to be measured, decided before anything is started.
 *
 * @param communicator the communicator to measure
 * @param shapes a row each, in this order
 * @param setting what all rows have in common
 * @param iterations measured operations of each row, or empty to choose by size
 */
public record BenchRequest(
        String communicator, List<OperationShape> shapes, RankSetting setting, OptionalInt iterations) {

    public BenchRequest {
        shapes = List.copyOf(shapes);
    }
}
