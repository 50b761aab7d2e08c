package io.tutti.launcher.run;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.numerics.reference.ErrorTotals;
import io.tutti.gpu.numerics.reference.Float64Reference;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import io.tutti.gpu.numerics.reference.ScalarReference;
import io.tutti.launcher.input.InputTensors;
import io.tutti.launcher.input.OperationShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges the outputs of the last operation: every element of every local rank against the bits of {@link
 * ScalarReference}, which shares no code with any kernel, and then the error against float64. Works on a bounded number of
 * rows at a time.
 */
public final class ResultCheck {

    private final String communicator;
    private final InputTensors inputs;
    private final OperationShape shape;
    private final Operation operation;
    private final List<OutputTensor> outputs;
    private final RowChunks chunks;
    private final List<ByteBuffer> partials = new ArrayList<>();
    private final ByteBuffer residual;
    private final ByteBuffer gamma;
    private final Map<OutputTensor, ByteBuffer> expected = new EnumMap<>(OutputTensor.class);
    private final Map<OutputTensor, ByteBuffer> found = new EnumMap<>(OutputTensor.class);
    private final WrongElements wrong;

    public ResultCheck(String communicator, InputTensors inputs, Operation operation) {
        this.communicator = communicator;
        this.inputs = inputs;
        this.shape = inputs.shape();
        this.operation = operation;
        this.outputs = OutputTensor.of(operation.epilogue());
        this.chunks = new RowChunks(shape, inputs.worldSize() + 1 + 2 * outputs.size());
        this.wrong = new WrongElements(shape);
        for (int rank = 0; rank < inputs.worldSize(); rank++) {
            partials.add(chunks.buffer());
        }
        residual = chunks.buffer();
        gamma = ByteBuffer.allocate(shape.rowBytes());
        for (OutputTensor output : outputs) {
            expected.put(output, chunks.buffer());
            found.put(output, chunks.buffer());
        }
    }

    /**
     * Checks all ranks.
     *
     * @return the largest relative error over ranks and outputs
     * @throws TuttiException with code INTERNAL, naming the first wrong element, when there is one
     */
    double check(List<RankTensors> ranks, Waits waits, Progress progress) {
        Verdict verdict = judge(ranks, waits, progress);
        wrong.first().ifPresent(this::fail);
        return verdict.largestError();
    }

    /**
     * What was found.
     *
     * @param wrongElements elements, over all ranks and outputs, whose bits are not the expected ones
     * @param largestError the largest relative error of the expected outputs against float64
     */
    public record Verdict(long wrongElements, double largestError) {}

    /** Compares all ranks, once. */
    public Verdict judge(List<RankTensors> ranks, Waits waits, Progress progress) {
        boolean hasNorm = operation.epilogue().hasNorm();
        ScalarReference scalar =
                new ScalarReference(shape.dtype(), operation.epilogue(), shape.hidden(), operation.eps());
        Float64Reference float64 =
                new Float64Reference(shape.dtype(), operation.epilogue(), shape.hidden(), operation.eps());
        ErrorTotals errors = new ErrorTotals();
        if (hasNorm) {
            inputs.gamma(gamma);
            gamma.flip();
        }
        chunks.forEach((first, tokens) -> {
            waits.checkpoint();
            ReferenceInputs rows = load(first, tokens, hasNorm);
            scalar.compute(tokens, rows, views(expected, tokens));
            for (RankTensors rank : ranks) {
                compare(rank, first, tokens);
            }
            // Every rank has the expected bits or the run fails, so one measurement stands for all ranks.
            float64.measure(tokens, rows, views(expected, tokens), errors);
            progress.at(communicator + ": rows checked", first + tokens, shape.tokens());
        });
        return new Verdict(wrong.count(), errors.largest());
    }

    private ReferenceInputs load(long first, int tokens, boolean hasNorm) {
        for (int rank = 0; rank < partials.size(); rank++) {
            ByteBuffer rows = chunks.rows(partials.get(rank), tokens);
            inputs.partial(rank, first, rows);
            rows.flip();
        }
        if (hasNorm) {
            inputs.residual(first, chunks.rows(residual, tokens));
            residual.flip();
        }
        return new ReferenceInputs(partials, hasNorm ? residual : null, hasNorm ? gamma : null);
    }

    private void compare(RankTensors rank, long first, int tokens) {
        for (OutputTensor output : outputs) {
            ByteBuffer actual = chunks.rows(buffer(found, output), tokens);
            rank.read(output, chunks.byteOffset(first), actual);
            wrong.compare(rank.rank(), output, first, chunks.rows(buffer(expected, output), tokens), actual);
        }
    }

    private ReferenceOutputs views(Map<OutputTensor, ByteBuffer> buffers, int tokens) {
        return new ReferenceOutputs(
                view(buffers, OutputTensor.SUM_OUT, tokens),
                view(buffers, OutputTensor.RESIDUAL_OUT, tokens),
                view(buffers, OutputTensor.NORM_OUT, tokens));
    }

    private @Nullable ByteBuffer view(Map<OutputTensor, ByteBuffer> buffers, OutputTensor output, int tokens) {
        return outputs.contains(output) ? chunks.rows(buffer(buffers, output), tokens) : null;
    }

    private static ByteBuffer buffer(Map<OutputTensor, ByteBuffer> buffers, OutputTensor output) {
        return Objects.requireNonNull(buffers.get(output));
    }

    private void fail(WrongElements.Element element) {
        throw new TuttiException(new ErrorInfo(
                ErrorCode.INTERNAL,
                element.rank(),
                null,
                null,
                "wrong result: communicator=" + communicator + " " + element.describe() + " wrongElements="
                        + wrong.count() + " ofElements=" + wrong.compared(),
                "Do not trust this configuration's results; report the command line, the path and this message."));
    }
}
