package io.tutti.benchmarks.measure;

import io.tutti.gpu.Epilogue;
import io.tutti.launcher.input.OperationShape;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is to be measured, decided before anything is started.
 *
 * @param communicator the communicator to measure
 * @param shapes a row each, in this order
 * @param epilogue what follows the sum
 * @param eps added to the mean of squares
 * @param seed makes the inputs
 * @param iterations measured operations of each row, or empty to choose by size
 */
public record BenchRequest(
        String communicator,
        List<OperationShape> shapes,
        Epilogue epilogue,
        float eps,
        long seed,
        OptionalInt iterations) {

    public BenchRequest {
        shapes = List.copyOf(shapes);
    }
}
