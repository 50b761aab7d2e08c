package io.tutti.launcher.run;

import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import io.tutti.gpu.numerics.reference.ScalarReference;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Completes an operation as soon as every rank has called. */
final class FakeCommunicator implements Communicator {

    private record Call(FakeRank rank, FusedAllReduce request, CompletableFuture<Completion> done) {}

    private static final EpochId EPOCH = new EpochId(new Term(1, "test"), 1);

    private final String name;
    private final FakeRuntime.Faults faults;
    private final List<FakeRank> ranks;
    private final List<Call> calls = new ArrayList<>();
    private final List<ByteBuffer> results = new ArrayList<>();
    private int operations;

    FakeCommunicator(String name, int worldSize, FakeRuntime.Faults faults) {
        this.name = name;
        this.faults = faults;
        this.ranks = IntStream.range(0, worldSize)
                .mapToObj(rank -> new FakeRank(rank, this))
                .toList();
    }

    CompletionStage<Completion> call(FakeRank rank, FusedAllReduce request) {
        Call call = new Call(rank, request, new CompletableFuture<>());
        calls.add(call);
        if (calls.size() == ranks.size()) {
            operations++;
            compute();
            faults.afterOperation(operations, ranks);
            List.copyOf(calls).forEach(this::complete);
            calls.clear();
        }
        return call.done();
    }

    private void complete(Call call) {
        faults.outcome(operations, call.rank().rank()).whenComplete((nothing, failure) -> {
            if (failure == null) {
                call.done().complete(new Completion(EPOCH, operations, PathKind.P2P, Algorithm.ONE_SHOT, 1, 1000));
            } else {
                call.done().completeExceptionally(failure);
            }
        });
    }

    /** Computes the first operation on rank 0, and copies the result to everybody then and later. */
    private void compute() {
        Call first = calls.get(0);
        FusedAllReduce request = first.request();
        if (results.isEmpty()) {
            DeviceTensor shape = request.partial();
            List<ByteBuffer> partials = calls.stream()
                    .map(call -> call.rank().bytes(call.request().partial()))
                    .toList();
            new ScalarReference(shape.dtype(), request.epilogue(), (int) shape.hidden(), request.eps())
                    .compute(
                            (int) shape.tokens(),
                            new ReferenceInputs(
                                    partials, view(first, request.residual()), view(first, request.gamma())),
                            new ReferenceOutputs(
                                    view(first, request.sumOut()),
                                    view(first, request.residualOut()),
                                    view(first, request.normOut())));
            outputs(request).forEach(output -> results.add(copy(first.rank().bytes(output))));
        }
        for (Call call : calls) {
            List<DeviceTensor> outputs = outputs(call.request());
            for (int i = 0; i < outputs.size(); i++) {
                call.rank().bytes(outputs.get(i)).put(results.get(i).duplicate());
            }
        }
    }

    private static List<DeviceTensor> outputs(FusedAllReduce request) {
        return Stream.of(request.sumOut(), request.residualOut(), request.normOut())
                .filter(Objects::nonNull)
                .toList();
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }

    private static @Nullable ByteBuffer view(Call call, @Nullable DeviceTensor tensor) {
        return tensor == null ? null : call.rank().bytes(tensor);
    }

    List<FakeRank> ranks() {
        return ranks;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int worldSize() {
        return ranks.size();
    }

    @Override
    public List<Rank> localRanks() {
        return List.copyOf(ranks);
    }

    @Override
    public EpochId epoch() {
        return EPOCH;
    }

    @Override
    public EpochPlan plan() {
        return new EpochPlan(
                PathKind.P2P,
                Map.of(PairClass.SAME_PROCESS, HandleKind.IN_PROCESS),
                new WorkspaceSpec(ranks.size(), 1024, 1024),
                1,
                Optional.empty(),
                faults.rejected());
    }

    @Override
    public int restarts() {
        return faults.restarts();
    }

    @Override
    public int downgrades() {
        return faults.downgrades();
    }

    @Override
    public CompletionStage<Void> forgetRefusals() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void close() {}
}
