package io.tutti.gpu.rank;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.kernels.HostKernels;
import io.tutti.gpu.memory.HandleTransports;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.workspace.StageTuning;
import io.tutti.gpu.workspace.WorkspaceLayout;
import io.tutti.gpu.workspace.WorkspaceSpec;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** All ranks of a communicator in one process, on the host driver, taken through the stages by the test's thread. */
final class RankGroup implements AutoCloseable {

    static final ErrorInfo ENDED = ErrorInfo.of(ErrorCode.ABORTED, "the test ended the epoch", "Nothing to do.");

    record Failure(int rank, EpochId epoch, long sequence, StatusCode status, int namedRank, CallDescriptor call) {}

    final HostDriver driver;
    final List<RankDevice> ranks = new ArrayList<>();
    final List<Failure> failures = new CopyOnWriteArrayList<>();
    private final Map<Long, Integer> tensors = new LinkedHashMap<>();
    private final int world;
    private long epochs;

    RankGroup(int world, Duration operationTimeout) {
        this(Topology.local(world), world, operationTimeout);
    }

    /** On a machine with at least as many devices as ranks. */
    RankGroup(Topology topology, int world, Duration operationTimeout) {
        this.world = world;
        driver = HostDriver.builder()
                .topology(topology)
                .kernels(KernelAbi.IMAGE, HostKernels.all())
                .build();
        for (int rank = 0; rank < world; rank++) {
            int self = rank;
            ranks.add(RankDevice.open(
                    driver,
                    new RankDevice.Settings(
                            rank,
                            world,
                            rank,
                            "host",
                            "process",
                            operationTimeout,
                            HandleTransports.standard(),
                            (epoch, sequence, status, named, call) ->
                                    failures.add(new Failure(self, epoch, sequence, status, named, call)))));
        }
    }

    static EpochPlan plan(WorkspaceSpec workspace, @Nullable Algorithm algorithm) {
        return new EpochPlan(
                PathKind.P2P,
                workspace.worldSize() == 1 ? Map.of() : Map.of(PairClass.SAME_PROCESS, HandleKind.IN_PROCESS),
                workspace,
                1,
                Optional.ofNullable(algorithm),
                List.of());
    }

    EpochPlan plan(@Nullable Algorithm algorithm) {
        return plan(WorkspaceSpecs.forBudget(world, 0, StageTuning.HOST), algorithm);
    }

    /** Forms the next epoch on all ranks. */
    EpochId form(EpochPlan plan) {
        EpochId epoch = nextEpoch();
        prepare(epoch, plan);
        each(rank -> rank.enter(epoch));
        return epoch;
    }

    EpochId nextEpoch() {
        return new EpochId(new Term(1, "test"), ++epochs);
    }

    void prepare(EpochId epoch, EpochPlan plan) {
        each(rank -> rank.allocate(epoch, plan));
        each(rank -> rank.fill(epoch, Duration.ofSeconds(10).toNanos()));
        List<MemoryOffer> offers = new ArrayList<>();
        each(rank -> offers.addAll(rank.export(epoch)));
        each(rank -> rank.importPeers(epoch, offers));
        each(rank -> rank.writePatterns(epoch, Duration.ofSeconds(10).toNanos()));
        each(rank -> rank.verifyPatterns(epoch, Duration.ofSeconds(10).toNanos()));
        each(rank -> rank.quiesce(Duration.ofSeconds(10).toNanos()));
        each(rank -> rank.arm(epoch, Duration.ofSeconds(10).toNanos()));
    }

    /** Ends an epoch on all ranks and gives its memory back. */
    List<DrainReport> end(EpochId epoch) {
        List<DrainReport> reports = new ArrayList<>();
        each(rank -> rank.abort(epoch, ENDED));
        each(rank -> reports.add(rank.drain(epoch, Duration.ofSeconds(10).toNanos())));
        long retired =
                reports.stream().mapToLong(DrainReport::retiredSequence).max().orElse(0);
        each(rank -> rank.endEpoch(epoch, ENDED, retired));
        each(rank -> rank.release(epoch));
        return reports;
    }

    void each(Consumer<RankDevice> step) {
        ranks.forEach(step);
    }

    /** Device memory of a rank with these bytes. */
    DeviceTensor upload(int rank, DType dtype, long tokens, long hidden, ByteBuffer contents) {
        DeviceTensor tensor = allocate(rank, dtype, tokens, hidden);
        ByteBuffer direct = ByteBuffer.allocateDirect(contents.remaining()).put(contents.duplicate());
        driver.memcpyHtoD(tensor.devicePointer(), direct.flip());
        return tensor;
    }

    /** Device memory of a rank, poisoned. */
    DeviceTensor allocate(int rank, DType dtype, long tokens, long hidden) {
        useDevice(rank);
        DeviceTensor shape = new DeviceTensor(0, dtype, tokens, hidden);
        long address = driver.memAlloc(shape.bytes() + 128);
        tensors.put(address, rank);
        ByteBuffer poison = ByteBuffer.allocateDirect((int) shape.bytes() + 128);
        while (poison.hasRemaining()) {
            poison.put((byte) 0xA5);
        }
        driver.memcpyHtoD(address, poison.flip());
        return new DeviceTensor(address, dtype, tokens, hidden);
    }

    /** Overwrites one word of a rank's workspace, as a stray store would. */
    void poke(int rank, EpochId epoch, ToLongFunction<WorkspaceLayout> place, int word) {
        driver.memcpyHtoD(address(rank, epoch, place), word().putInt(0, word));
    }

    /** One word of a rank's workspace. */
    int peek(int rank, EpochId epoch, ToLongFunction<WorkspaceLayout> place) {
        ByteBuffer direct = word();
        driver.memcpyDtoH(direct, address(rank, epoch, place));
        return direct.getInt(0);
    }

    private static ByteBuffer word() {
        return ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    }

    private long address(int rank, EpochId epoch, ToLongFunction<WorkspaceLayout> place) {
        useDevice(rank);
        MemoryOffer offer = ranks.get(rank).export(epoch).get(0);
        WorkspaceLayout layout = WorkspaceLayout.of(WorkspaceSpecs.forBudget(world, 0, StageTuning.HOST));
        return ByteBuffer.wrap(offer.handle()).getLong() + place.applyAsLong(layout);
    }

    /** A stream that is not the rank's own; the test destroys it. */
    CuStream stream(int rank) {
        useDevice(rank);
        return driver.streamCreate();
    }

    void useDevice(int rank) {
        driver.ctxSetCurrent(driver.primaryCtxRetain(rank));
        driver.primaryCtxRelease(rank);
    }

    /** A tensor's bytes; fails when something was written behind it. */
    ByteBuffer download(int rank, DeviceTensor tensor) {
        useDevice(rank);
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) tensor.bytes() + 128).order(ByteOrder.LITTLE_ENDIAN);
        driver.memcpyDtoH(bytes, tensor.devicePointer());
        for (int i = (int) tensor.bytes(); i < bytes.capacity(); i++) {
            if (bytes.get(i) != (byte) 0xA5) {
                throw new AssertionError("written behind a tensor at byte " + i + " of " + tensor);
            }
        }
        return bytes.limit((int) tensor.bytes());
    }

    void freeTensors() {
        tensors.forEach((address, rank) -> {
            useDevice(rank);
            driver.memFree(address);
        });
        tensors.clear();
    }

    @Override
    public void close() {
        EpochId last = new EpochId(new Term(1, "test"), Math.max(1, epochs));
        each(rank -> rank.abort(last, ENDED));
        each(rank -> rank.quiesce(Duration.ofSeconds(10).toNanos()));
        freeTensors();
        each(RankDevice::close);
        long live = driver.live().total();
        String listed = driver.live().toString();
        driver.close();
        if (live != 0) {
            throw new AssertionError("not given back: " + listed);
        }
    }
}
