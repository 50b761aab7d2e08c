package io.tutti.launcher.input;

import io.tutti.gpu.reference.SeededInputs;
import java.nio.ByteBuffer;

/** Tensors made from a seed, the same that benchmarks and committed digests are made from. */
public final class SeededTensors implements InputTensors {

    private final int worldSize;
    private final OperationShape shape;
    private final SeededInputs inputs;

    public SeededTensors(int worldSize, OperationShape shape, long seed) {
        this.worldSize = worldSize;
        this.shape = shape;
        this.inputs = new SeededInputs(seed, worldSize, shape.hidden(), shape.dtype());
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public OperationShape shape() {
        return shape;
    }

    @Override
    public void partial(int rank, long firstToken, ByteBuffer rows) {
        inputs.partialRows(rank, firstToken, rows.remaining() / shape.rowBytes(), rows);
    }

    @Override
    public void residual(long firstToken, ByteBuffer rows) {
        inputs.residualRows(firstToken, rows.remaining() / shape.rowBytes(), rows);
    }

    @Override
    public void gamma(ByteBuffer row) {
        inputs.gamma(row);
    }
}
