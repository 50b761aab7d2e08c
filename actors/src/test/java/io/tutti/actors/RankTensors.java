package io.tutti.actors;

import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import io.tutti.gpu.numerics.reference.ScalarReference;
import io.tutti.gpu.op.FusedAllReduce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Tensors of every rank of one call in fp32, on the devices and on the host, with the bits that must come out. */
final class RankTensors implements AutoCloseable {

    /** One rank's device memory and its request. */
    record OnRank(
            TensorMemory partial,
            TensorMemory residual,
            TensorMemory gamma,
            TensorMemory norm,
            TensorMemory residualOut,
            FusedAllReduce request) {}

    private final List<OnRank> ranks = new ArrayList<>();
    private final ByteBuffer expectedNorm;
    private final ByteBuffer expectedResidual;

    RankTensors(Communicator communicator, int tokens, int hidden, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ByteBuffer> partials = new ArrayList<>();
        for (int i = 0; i < communicator.worldSize(); i++) {
            partials.add(randomRows(random, tokens * hidden));
        }
        ByteBuffer residual = randomRows(random, tokens * hidden);
        ByteBuffer gamma = randomRows(random, hidden);
        expectedNorm = bytes(tokens * hidden);
        expectedResidual = bytes(tokens * hidden);
        new ScalarReference(DType.FP32, Epilogue.RESIDUAL_RMSNORM, hidden, FusedAllReduce.DEFAULT_EPS)
                .compute(
                        tokens,
                        new ReferenceInputs(partials, residual, gamma),
                        new ReferenceOutputs(null, expectedResidual, expectedNorm));
        for (Rank rank : communicator.localRanks()) {
            ranks.add(onRank(rank, partials.get(rank.rank()), residual, gamma, tokens, hidden));
        }
    }

    private static OnRank onRank(
            Rank rank, ByteBuffer partial, ByteBuffer residual, ByteBuffer gamma, int tokens, int hidden) {
        TensorMemory p = filled(rank, partial, tokens, hidden);
        TensorMemory r = filled(rank, residual, tokens, hidden);
        TensorMemory g = filled(rank, gamma, 1, hidden);
        TensorMemory norm = filled(rank, poison(tokens * hidden), tokens, hidden);
        TensorMemory out = filled(rank, poison(tokens * hidden), tokens, hidden);
        return new OnRank(
                p,
                r,
                g,
                norm,
                out,
                FusedAllReduce.of(p.tensor(), r.tensor(), g.tensor()).into(norm.tensor(), out.tensor()));
    }

    FusedAllReduce request(int rank) {
        return ranks.get(rank).request();
    }

    /** Overwrites the outputs of every local rank. */
    void poison() {
        for (OnRank rank : ranks) {
            rank.norm().write(0, poison(elements()));
            rank.residualOut().write(0, poison(elements()));
        }
    }

    private int elements() {
        return expectedNorm.capacity() / Float.BYTES;
    }

    /** Whether every element on every local rank has the canonical bits. */
    boolean allRight() {
        return ranks.stream()
                .allMatch(rank -> same(rank.norm(), expectedNorm) && same(rank.residualOut(), expectedResidual));
    }

    private static boolean same(TensorMemory memory, ByteBuffer expected) {
        ByteBuffer actual = ByteBuffer.allocateDirect(expected.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        memory.read(actual);
        return actual.equals(expected.duplicate().clear());
    }

    private static TensorMemory filled(Rank rank, ByteBuffer bytes, int tokens, int hidden) {
        TensorMemory memory = rank.allocate(DType.FP32, tokens, hidden);
        memory.write(bytes.duplicate().clear());
        return memory;
    }

    private static ByteBuffer randomRows(SplittableRandom random, int elements) {
        ByteBuffer rows = bytes(elements);
        for (int i = 0; i < elements; i++) {
            rows.putFloat(i * Float.BYTES, (float) (random.nextDouble() * 4 - 2));
        }
        return rows;
    }

    private static ByteBuffer poison(int elements) {
        ByteBuffer rows = bytes(elements);
        for (int i = 0; i < elements; i++) {
            rows.putInt(i * Integer.BYTES, 0x7FDEAD00);
        }
        return rows;
    }

    private static ByteBuffer bytes(int elements) {
        return ByteBuffer.allocateDirect(elements * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        for (OnRank rank : ranks) {
            List.of(rank.partial(), rank.residual(), rank.gamma(), rank.norm(), rank.residualOut())
                    .forEach(TensorMemory::close);
        }
    }
}
