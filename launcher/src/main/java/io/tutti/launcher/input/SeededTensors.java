package io.tutti.launcher.input;

import io.tutti.gpu.DType;
import io.tutti.gpu.numerics.TensorBits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tensors made from a seed. An element depends on the seed, its tensor and its place alone, so ranks, pieces and threads
 * agree without talking, and a batch begins with the rows of every smaller batch. Partials and the residual lie in
 * [−1, 1), gamma in [0.5, 1.5).
 */
public final class SeededTensors implements InputTensors {

    private static final long RESIDUAL = 1_000_000;
    private static final long GAMMA = 1_000_001;
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final int worldSize;
    private final OperationShape shape;
    private final long seed;

    public SeededTensors(int worldSize, OperationShape shape, long seed) {
        this.worldSize = worldSize;
        this.shape = shape;
        this.seed = seed;
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
        fill(rank, firstToken, 0f, rows);
    }

    @Override
    public void residual(long firstToken, ByteBuffer rows) {
        fill(RESIDUAL, firstToken, 0f, rows);
    }

    @Override
    public void gamma(ByteBuffer row) {
        fill(GAMMA, 0, 1f, row);
    }

    private void fill(long tensor, long firstToken, float centre, ByteBuffer rows) {
        long key = mix(mix(seed) + tensor * GOLDEN_GAMMA);
        DType dtype = shape.dtype();
        ByteBuffer target = rows.order(ByteOrder.LITTLE_ENDIAN);
        float scale = centre == 0f ? 1f : 0.5f;
        for (long element = Math.multiplyExact(firstToken, (long) shape.hidden()); target.hasRemaining(); element++) {
            int bits = TensorBits.round(dtype, centre + scale * unit(mix(key + element * GOLDEN_GAMMA)));
            if (dtype.bytes() == 2) {
                target.putShort((short) bits);
            } else {
                target.putInt(bits);
            }
        }
    }

    /** The top 24 bits as a number in [−1, 1), exact in fp32. */
    private static float unit(long bits) {
        return (bits >> 40) * 0x1p-23f;
    }

    /** A permutation of the 64-bit numbers in which every input bit moves about half of the output bits. */
    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 32)) * 0xd6e8feb86659fd93L;
        z = (z ^ (z >>> 32)) * 0xd6e8feb86659fd93L;
        return z ^ (z >>> 32);
    }
}
