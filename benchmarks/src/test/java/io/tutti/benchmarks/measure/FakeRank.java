package io.tutti.benchmarks.measure;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.actors.api.UserGraph;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** A rank that computes nothing: the test decides how each call ends. Its outputs stay what was written to them. */
final class FakeRank implements Rank {

    /** What a call that ends well answers. */
    static final Completion DONE =
            new Completion(new EpochId(new Term(1, "test"), 1), 1, PathKind.P2P, Algorithm.ONE_SHOT, 1, 1000);

    private final int rank;
    private final int worldSize;
    private final IntFunction<CompletionStage<Completion>> calls;
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger liveTensors = new AtomicInteger();

    /** @param calls the n-th call's outcome, from 1 */
    FakeRank(int rank, int worldSize, IntFunction<CompletionStage<Completion>> calls) {
        this.rank = rank;
        this.worldSize = worldSize;
        this.calls = calls;
    }

    int made() {
        return made.get();
    }

    int liveTensors() {
        return liveTensors.get();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public int device() {
        return rank;
    }

    @Override
    public TensorMemory allocate(DType dtype, long tokens, long hidden) {
        DeviceTensor tensor = new DeviceTensor(16L * liveTensors.incrementAndGet(), dtype, tokens, hidden);
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(tensor.bytes()));
        return new TensorMemory() {
            @Override
            public DeviceTensor tensor() {
                return tensor;
            }

            @Override
            public void write(long byteOffset, ByteBuffer source) {
                bytes.duplicate().position((int) byteOffset).put(source);
            }

            @Override
            public void read(long byteOffset, ByteBuffer destination) {
                destination.put(bytes.slice((int) byteOffset, destination.remaining()));
            }

            @Override
            public void close() {
                liveTensors.decrementAndGet();
            }
        };
    }

    @Override
    public CompletionStage<Completion> allReduce(FusedAllReduce request) {
        return calls.apply(made.incrementAndGet());
    }

    @Override
    public Driver driver() {
        throw new AssertionError("measurements need no driver");
    }

    @Override
    public CuContext context() {
        throw new AssertionError("measurements need no driver");
    }

    @Override
    public CompletionStage<Completion> allReduce(FusedAllReduce request, CuStream stream) {
        throw new AssertionError("measurements have no streams of their own");
    }

    @Override
    public UserGraph graph() {
        throw new AssertionError("measurements have no streams of their own");
    }

    /** A replay counts as one call. */
    @Override
    public CapturedCalls capture(List<FusedAllReduce> requests) {
        return new CapturedCalls() {
            @Override
            public List<FusedAllReduce> calls() {
                return requests;
            }

            @Override
            public CompletionStage<Completion> replay() {
                return calls.apply(made.incrementAndGet());
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }
}
