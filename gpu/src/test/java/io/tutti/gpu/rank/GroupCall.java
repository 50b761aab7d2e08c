package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.Payload;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import io.tutti.gpu.numerics.reference.ScalarReference;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call of all ranks with its inputs, outputs and expected bits. */
final class GroupCall {

    private final RankGroup group;
    private final DType dtype;
    private final Epilogue epilogue;
    private final int tokens;
    private final int hidden;
    private final float eps;
    private final boolean sum;
    private final ReferenceInputs inputs;
    private final String description;
    final List<FusedAllReduce> requests = new ArrayList<>();

    /** @param variant bit 0: also the plain sum, bit 1: residual in place */
    GroupCall(
            RankGroup group,
            DType dtype,
            Epilogue epilogue,
            int tokens,
            int hidden,
            Payload payload,
            long seed,
            int variant) {
        this(
                group,
                dtype,
                epilogue,
                tokens,
                hidden,
                inputs(group.ranks.size(), dtype, tokens, hidden, payload, new SplittableRandom(seed)),
                variant,
                payload + " seed=" + seed);
    }

    GroupCall(
            RankGroup group,
            DType dtype,
            Epilogue epilogue,
            int tokens,
            int hidden,
            ReferenceInputs inputs,
            int variant,
            String origin) {
        this.group = group;
        this.dtype = dtype;
        this.epilogue = epilogue;
        this.tokens = tokens;
        this.hidden = hidden;
        this.eps = 1e-6f;
        this.sum = (variant & 1) != 0 || !epilogue.hasNorm();
        this.inputs = inputs;
        description = dtype + " " + epilogue + " " + tokens + "x" + hidden + " " + origin + " variant=" + variant
                + " world=" + group.ranks.size();
        for (int rank = 0; rank < group.ranks.size(); rank++) {
            requests.add(request(rank, (variant & 2) != 0));
        }
    }

    private static ReferenceInputs inputs(
            int world, DType dtype, int tokens, int hidden, Payload payload, SplittableRandom random) {
        List<ByteBuffer> partials = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            partials.add(payload.tensor(dtype, tokens * hidden, random));
        }
        return new ReferenceInputs(
                partials,
                payload.tensor(dtype, tokens * hidden, random),
                Payload.ORDINARY.tensor(dtype, hidden, random));
    }

    private FusedAllReduce request(int rank, boolean inPlace) {
        DeviceTensor partial =
                group.upload(rank, dtype, tokens, hidden, inputs.partials().get(rank));
        if (!epilogue.hasNorm()) {
            return FusedAllReduce.sum(partial, group.allocate(rank, dtype, tokens, hidden));
        }
        DeviceTensor sumOut = sum ? group.allocate(rank, dtype, tokens, hidden) : null;
        ByteBuffer residualBytes = Objects.requireNonNull(inputs.residual());
        DeviceTensor residual = group.upload(rank, dtype, tokens, hidden, residualBytes);
        DeviceTensor gamma = group.upload(rank, dtype, 1, hidden, Objects.requireNonNull(inputs.gamma()));
        DeviceTensor residualOut = inPlace ? residual : group.allocate(rank, dtype, tokens, hidden);
        return new FusedAllReduce(
                partial,
                residual,
                gamma,
                epilogue,
                eps,
                group.allocate(rank, dtype, tokens, hidden),
                residualOut,
                sumOut,
                0);
    }

    /** An fp32 call with ordinary values. */
    static GroupCall ordinary(RankGroup group, int tokens, int hidden) {
        return new GroupCall(group, DType.FP32, Epilogue.RESIDUAL_RMSNORM, tokens, hidden, Payload.ORDINARY, tokens, 0);
    }

    List<CompletionStage<Completion>> submit() {
        List<CompletionStage<Completion>> stages = new ArrayList<>();
        for (int rank = 0; rank < requests.size(); rank++) {
            stages.add(group.ranks.get(rank).submit(requests.get(rank)));
        }
        return stages;
    }

    static void await(List<CompletionStage<Completion>> stages) throws Exception {
        for (CompletionStage<Completion> stage : stages) {
            stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    /** Compares every bit of every rank's outputs. */
    void verify() {
        ReferenceOutputs expected = new ReferenceOutputs(
                sum ? Payload.allocate(dtype, tokens * hidden) : null,
                epilogue.hasNorm() ? Payload.allocate(dtype, tokens * hidden) : null,
                epilogue.hasNorm() ? Payload.allocate(dtype, tokens * hidden) : null);
        new ScalarReference(dtype, epilogue, hidden, eps).compute(tokens, inputs, expected);
        for (int rank = 0; rank < requests.size(); rank++) {
            FusedAllReduce request = requests.get(rank);
            verify(rank, "sum", request.sumOut(), expected.sum());
            verify(rank, "residualOut", request.residualOut(), expected.residualOut());
            verify(rank, "normOut", request.normOut(), expected.normOut());
        }
    }

    private void verify(int rank, String name, @Nullable DeviceTensor actual, @Nullable ByteBuffer expected) {
        if (actual != null && expected != null) {
            int difference = group.download(rank, actual).mismatch(expected);
            assertThat(difference)
                    .as("first differing byte of %s on rank %d: %s", name, rank, description)
                    .isEqualTo(-1);
        }
    }

    void run() throws Exception {
        await(submit());
        verify();
    }
}
