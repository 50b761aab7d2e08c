package io.tutti.launcher.cli;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.Operation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is run. Options that were not given are null, so that a contradiction to an input file can be told. */
final class OperationOptions {

    private static final long DEFAULT_TOKENS = 64;
    private static final int DEFAULT_HIDDEN = 4096;
    private static final int DEFAULT_ITERATIONS = 100;
    private static final long DEFAULT_SEED = 1;

    @Option(
            names = "--tokens",
            paramLabel = "N",
            order = 30,
            converter = OptionTypes.Tokens.class,
            description = "Rows of the tensors, from 1. Default: 64.")
    @Nullable
    Long tokens;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            order = 31,
            converter = OptionTypes.Hidden.class,
            description = "Elements of a row, a multiple of 8 up to 65536. Default: 4096.")
    @Nullable
    Integer hidden;

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            order = 32,
            converter = OptionTypes.Type.class,
            description = "bf16, fp16 or fp32. Default: bf16.")
    @Nullable
    DType dtype;

    @Option(
            names = "--epilogue",
            paramLabel = "NAME",
            order = 33,
            converter = OptionTypes.EpilogueName.class,
            description = "residual-rmsnorm, residual-rmsnorm-gemma (weights are gamma + 1) or all-reduce (the sum"
                    + " alone). Default: residual-rmsnorm.")
    @Nullable
    Epilogue epilogue;

    @Option(
            names = "--eps",
            paramLabel = "X",
            order = 34,
            converter = OptionTypes.Eps.class,
            description = "Added to the mean of squares; finite, from 0. Default: 1e-6.")
    @Nullable
    Float eps;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            order = 35,
            converter = OptionTypes.Iterations.class,
            description = "How often the operation is run on the same inputs, 1 to 10000000. Default: 100.")
    @Nullable
    Integer iterations;

    @Option(
            names = "--seed",
            paramLabel = "N",
            order = 36,
            converter = OptionTypes.Seed.class,
            description = "Makes the input tensors, where no file gives them. Default: 1.")
    @Nullable
    Long seed;

    Operation operation() {
        return new Operation(
                epilogue(),
                Objects.requireNonNullElse(eps, FusedAllReduce.DEFAULT_EPS),
                Objects.requireNonNullElse(iterations, DEFAULT_ITERATIONS));
    }

    Epilogue epilogue() {
        return Objects.requireNonNullElse(epilogue, Epilogue.RESIDUAL_RMSNORM);
    }

    OperationShape shape() {
        return new OperationShape(
                Objects.requireNonNullElse(tokens, DEFAULT_TOKENS),
                Objects.requireNonNullElse(hidden, DEFAULT_HIDDEN),
                Objects.requireNonNullElse(dtype, DType.BF16));
    }

    long seed() {
        return Objects.requireNonNullElse(seed, DEFAULT_SEED);
    }
}
