package io.tutti.launcher.run;

import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.launcher.input.InputTensors;
import io.tutti.launcher.input.OperationShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One rank's tensors in its device's memory: inputs loaded once, outputs that can be poisoned and read. */
public final class RankTensors implements AutoCloseable {

    /** Fills outputs before an operation: not a number in every type, and never a canonical output. */
    private static final byte POISON = (byte) 0xff;

    private final Rank rank;
    private final OperationShape shape;
    private final Operation operation;
    private final List<TensorMemory> owned = new ArrayList<>();
    private final Map<OutputTensor, TensorMemory> outputs = new EnumMap<>(OutputTensor.class);
    private final TensorMemory partial;
    private final @Nullable TensorMemory residual;
    private final @Nullable TensorMemory gamma;

    private RankTensors(Rank rank, OperationShape shape, Operation operation) {
        this.rank = rank;
        this.shape = shape;
        this.operation = operation;
        try {
            boolean hasNorm = operation.epilogue().hasNorm();
            partial = allocate(shape.tokens());
            residual = hasNorm ? allocate(shape.tokens()) : null;
            gamma = hasNorm ? allocate(1) : null;
            for (OutputTensor output : OutputTensor.of(operation.epilogue())) {
                outputs.put(output, allocate(shape.tokens()));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Allocates and loads. */
    public static RankTensors load(Rank rank, InputTensors inputs, Operation operation, Waits waits) {
        RankTensors tensors = new RankTensors(rank, inputs.shape(), operation);
        try {
            tensors.fill(inputs, waits);
            return tensors;
        } catch (RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    private TensorMemory allocate(long tokens) {
        TensorMemory memory = rank.allocate(shape.dtype(), tokens, shape.hidden());
        owned.add(memory);
        return memory;
    }

    private void fill(InputTensors inputs, Waits waits) {
        RowChunks chunks = new RowChunks(shape, 1);
        ByteBuffer buffer = chunks.buffer();
        chunks.forEach((first, tokens) -> {
            waits.checkpoint();
            ByteBuffer rows = chunks.rows(buffer, tokens);
            inputs.partial(rank.rank(), first, rows);
            partial.write(chunks.byteOffset(first), rows.flip());
            if (residual != null) {
                rows = chunks.rows(buffer, tokens);
                inputs.residual(first, rows);
                residual.write(chunks.byteOffset(first), rows.flip());
            }
        });
        if (gamma != null) {
            ByteBuffer row = chunks.rows(buffer, 1);
            inputs.gamma(row);
            gamma.write(0, row.flip());
        }
    }

    public int rank() {
        return rank.rank();
    }

    public Rank target() {
        return rank;
    }

    /** The request that reads and writes these tensors. */
    public FusedAllReduce request() {
        if (!operation.epilogue().hasNorm()) {
            return FusedAllReduce.sum(partial.tensor(), view(OutputTensor.SUM_OUT));
        }
        FusedAllReduce request = FusedAllReduce.of(
                        partial.tensor(),
                        Objects.requireNonNull(residual).tensor(),
                        Objects.requireNonNull(gamma).tensor())
                .eps(operation.eps())
                .into(view(OutputTensor.NORM_OUT), view(OutputTensor.RESIDUAL_OUT));
        return operation.epilogue() == Epilogue.RESIDUAL_RMSNORM_GEMMA ? request.gemma() : request;
    }

    /** Overwrites every output, so that an element that is not written is noticed. */
    public void poison(Waits waits) {
        RowChunks chunks = new RowChunks(shape, 1);
        ByteBuffer buffer = chunks.buffer();
        Arrays.fill(buffer.array(), POISON);
        chunks.forEach((first, tokens) -> {
            waits.checkpoint();
            for (TensorMemory output : outputs.values()) {
                output.write(chunks.byteOffset(first), chunks.rows(buffer, tokens));
            }
        });
    }

    /** Fills the buffer's remaining bytes from an output; its position does not move. */
    void read(OutputTensor output, long byteOffset, ByteBuffer target) {
        memory(output).read(byteOffset, target.duplicate());
    }

    private DeviceTensor view(OutputTensor output) {
        return memory(output).tensor();
    }

    private TensorMemory memory(OutputTensor output) {
        return Objects.requireNonNull(outputs.get(output), () -> "no such output: " + output);
    }

    @Override
    public void close() {
        owned.forEach(TensorMemory::close);
        owned.clear();
    }
}
