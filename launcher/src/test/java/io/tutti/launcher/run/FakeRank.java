package io.tutti.launcher.run;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.actors.api.UserGraph;
import io.tutti.gpu.DType;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A rank whose device memory is a map from addresses to arrays. */
final class FakeRank implements Rank {

    private static final long SPACING = 1L << 40;

    private final int rank;
    private final FakeCommunicator communicator;
    private final Map<Long, ByteBuffer> memory = new HashMap<>();
    private long nextAddress = SPACING;

    FakeRank(int rank, FakeCommunicator communicator) {
        this.rank = rank;
        this.communicator = communicator;
    }

    /** A tensor's bytes. */
    ByteBuffer bytes(DeviceTensor tensor) {
        return Objects.requireNonNull(memory.get(tensor.devicePointer()), "freed or foreign memory")
                .duplicate()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Changes both bytes of a 16-bit element of the n-th allocation, counted from 0. */
    void damage(int allocation, int at, UnaryOperator<Byte> change) {
        ByteBuffer bytes = Objects.requireNonNull(memory.get(SPACING * (allocation + 1)), "freed");
        bytes.put(at, change.apply(bytes.get(at)));
        bytes.put(at + 1, change.apply(bytes.get(at + 1)));
    }

    int liveTensors() {
        return memory.size();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int worldSize() {
        return communicator.worldSize();
    }

    @Override
    public int device() {
        return rank;
    }

    @Override
    public TensorMemory allocate(DType dtype, long tokens, long hidden) {
        DeviceTensor tensor = new DeviceTensor(nextAddress, dtype, tokens, hidden);
        nextAddress += SPACING;
        memory.put(tensor.devicePointer(), ByteBuffer.allocate(Math.toIntExact(tensor.bytes())));
        return new Memory(tensor);
    }

    @Override
    public CompletionStage<Completion> allReduce(FusedAllReduce request) {
        return communicator.call(this, request);
    }

    private final class Memory implements TensorMemory {
        private final DeviceTensor tensor;

        Memory(DeviceTensor tensor) {
            this.tensor = tensor;
        }

        @Override
        public DeviceTensor tensor() {
            return tensor;
        }

        @Override
        public void write(long byteOffset, ByteBuffer source) {
            bytes(tensor).position((int) byteOffset).put(source);
        }

        @Override
        public void read(long byteOffset, ByteBuffer destination) {
            destination.put(bytes(tensor).slice((int) byteOffset, destination.remaining()));
        }

        @Override
        public void close() {
            memory.remove(tensor.devicePointer());
        }
    }

    @Override
    public Driver driver() {
        throw new AssertionError("a run needs no driver");
    }

    @Override
    public CuContext context() {
        throw new AssertionError("a run needs no driver");
    }

    @Override
    public CompletionStage<Completion> allReduce(FusedAllReduce request, CuStream stream) {
        throw new AssertionError("a run makes single calls");
    }

    @Override
    public UserGraph graph() {
        throw new AssertionError("a run makes single calls");
    }

    @Override
    public CapturedCalls capture(List<FusedAllReduce> requests) {
        throw new AssertionError("a run makes single calls");
    }
}
