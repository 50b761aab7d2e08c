package io.tutti.benchmarks.cli;

import io.tutti.benchmarks.measure.BenchRequest;
import io.tutti.benchmarks.measure.GraphSize;
import io.tutti.benchmarks.measure.RankSetting;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.launcher.cli.OptionTypes;
import io.tutti.launcher.input.OperationShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is measured. */
final class BenchOptions {

    private static final long DEFAULT_SEED = 1;

    @Option(
            names = "--tokens",
            paramLabel = "LIST",
            order = 30,
            split = ",",
            converter = OptionTypes.Tokens.class,
            description = "Rows of the tensors, from 1; separated by commas. Default: 1,8,64,256,1024.")
    List<Long> tokens = List.of(1L, 8L, 64L, 256L, 1024L);

    @Option(
            names = "--hidden",
            paramLabel = "LIST",
            order = 31,
            split = ",",
            converter = OptionTypes.Hidden.class,
            description = "Elements of a row, multiples of 8 up to 65536; separated by commas. Default: 4096.")
    List<Integer> hidden = List.of(4096);

    @Option(
            names = "--dtype",
            paramLabel = "LIST",
            order = 32,
            split = ",",
            converter = OptionTypes.Type.class,
            description = "bf16, fp16, fp32; separated by commas. Peers on the CPU know fp32 alone. Default: fp32.")
    List<DType> dtypes = List.of(DType.FP32);

    @Option(
            names = "--epilogue",
            paramLabel = "NAME",
            order = 33,
            converter = OptionTypes.EpilogueName.class,
            description = "residual-rmsnorm, residual-rmsnorm-gemma (weights are gamma + 1) or all-reduce (the sum"
                    + " alone). Peers know the first alone. Default: residual-rmsnorm.")
    Epilogue epilogue = Epilogue.RESIDUAL_RMSNORM;

    @Option(
            names = "--eps",
            paramLabel = "X",
            order = 34,
            converter = OptionTypes.Eps.class,
            description = "Added to the mean of squares; finite, from 0. Default: 1e-6.")
    float eps = FusedAllReduce.DEFAULT_EPS;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            order = 35,
            converter = OptionTypes.Iterations.class,
            description =
                    "Measured operations of each row, for each side, 1 to 10000000; at least one graph. Default: by"
                            + " size, 50 to 2000.")
    @Nullable
    Integer iterations;

    @Option(
            names = "--graph",
            paramLabel = "N",
            order = 36,
            converter = OptionTypes.GraphLength.class,
            description = "Operations captured as one graph, which is launched again and again, up to 1000; 0 makes"
                    + " single calls, each after the last has completed. Times are per operation. Default: 50, or 10"
                    + " above 8 MiB.")
    @Nullable
    Integer graph;

    @Option(
            names = "--seed",
            paramLabel = "N",
            order = 37,
            converter = OptionTypes.Seed.class,
            description = "Makes the input tensors. Default: 1.")
    long seed = DEFAULT_SEED;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            order = 40,
            description = "Also write the rows to this file, in the table's columns.")
    @Nullable
    Path csv;

    /** The rows: all tokens of a hidden size, all hidden sizes of a type. */
    List<OperationShape> shapes() {
        List<OperationShape> shapes = new ArrayList<>();
        for (DType dtype : dtypes) {
            for (int elements : hidden) {
                for (long rows : tokens) {
                    shapes.add(new OperationShape(rows, elements, dtype));
                }
            }
        }
        return shapes;
    }

    RankSetting setting() {
        return new RankSetting(epilogue, eps, seed, new GraphSize(given(graph)));
    }

    BenchRequest request(String communicator) {
        return new BenchRequest(communicator, shapes(), setting(), given(iterations));
    }

    private static OptionalInt given(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
