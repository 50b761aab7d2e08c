package io.tutti.gpu.numerics;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import io.tutti.gpu.numerics.reference.ScalarReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One operation's inputs, computed by either implementation. */
record FusedCase(DType type, Epilogue epilogue, int tokens, int hidden, float eps, ReferenceInputs inputs) {

    static FusedCase random(DType type, int world, int tokens, int hidden, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Payload payload = Payload.of(seed);
        List<ByteBuffer> partials = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            partials.add(payload.tensor(type, tokens * hidden, random));
        }
        ReferenceInputs inputs = new ReferenceInputs(
                partials,
                payload.tensor(type, tokens * hidden, random),
                (random.nextInt(3) == 0 ? payload : Payload.ORDINARY).tensor(type, hidden, random));
        float eps = random.nextInt(8) == 0 ? 0f : 1e-6f;
        return new FusedCase(type, Epilogue.RESIDUAL_RMSNORM, tokens, hidden, eps, inputs);
    }

    FusedCase with(Epilogue other) {
        return new FusedCase(type, other, tokens, hidden, eps, inputs);
    }

    ReferenceOutputs byReference() {
        ReferenceOutputs outputs = allocate();
        new ScalarReference(type, epilogue, hidden, eps).compute(tokens, inputs, outputs);
        return outputs;
    }

    ReferenceOutputs byRows() {
        ReferenceOutputs outputs = allocate();
        CanonicalRow row = new CanonicalRow(type, hidden);
        if (epilogue.hasNorm()) {
            row.weights(words(inputs.gamma(), 0), 0, hidden, epilogue.weightBias());
        }
        for (int token = 0; token < tokens; token++) {
            computeRow(row, token, outputs);
        }
        return outputs;
    }

    /** Computes one token with an instance that has this case's weights. */
    void computeRow(CanonicalRow row, int token, ReferenceOutputs outputs) {
        // Rows begin and end inside a larger array, as they do in a workspace.
        int margin = 3;
        int[] out = new int[rowBytes() / 4 + 2 * margin];
        row.start(hidden);
        for (ByteBuffer partial : inputs.partials()) {
            row.add(words(partial, token), 0);
        }
        row.round(out, margin);
        put(out, margin, outputs.sum(), token);
        if (epilogue.hasNorm()) {
            row.add(words(inputs.residual(), token), 0);
            row.round(out, margin);
            put(out, margin, outputs.residualOut(), token);
            row.norm(out, margin, eps, out, margin);
            put(out, margin, outputs.normOut(), token);
        }
    }

    ReferenceOutputs allocate() {
        ByteBuffer sum = Payload.allocate(type, tokens * hidden);
        return epilogue.hasNorm()
                ? new ReferenceOutputs(
                        sum, Payload.allocate(type, tokens * hidden), Payload.allocate(type, tokens * hidden))
                : new ReferenceOutputs(sum, null, null);
    }

    int[] words(@Nullable ByteBuffer tensor, int token) {
        int[] words = new int[rowBytes() / 4];
        Objects.requireNonNull(tensor).asIntBuffer().get(token * words.length, words);
        return words;
    }

    private void put(int[] words, int offset, @Nullable ByteBuffer tensor, int token) {
        int count = rowBytes() / 4;
        Objects.requireNonNull(tensor).asIntBuffer().put(token * count, words, offset, count);
    }

    int rowBytes() {
        return hidden * type.bytes();
    }
}
