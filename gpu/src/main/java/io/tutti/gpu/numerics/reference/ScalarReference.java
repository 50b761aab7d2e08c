package io.tutti.gpu.numerics.reference;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The canonical order, element by element, as {@code docs/numerics.md} words it. Its outputs are the expected bits of every
 * path and driver. Instances hold one row of scratch and are confined to one thread.
 */
public final class ScalarReference {
    private final ReferenceFormat format;
    private final Epilogue epilogue;
    private final int hidden;
    private final float eps;
    private final float[] row;
    private final float[] squares;

    /**
     * @param hidden elements of a row, at least 1
     * @param eps ignored by an epilogue without norm
     */
    public ScalarReference(DType type, Epilogue epilogue, int hidden, float eps) {
        this.format = ReferenceFormat.of(type);
        this.epilogue = epilogue;
        this.hidden = hidden;
        this.eps = eps;
        this.row = new float[hidden];
        int leaves = 1;
        while (leaves < hidden) {
            leaves *= 2;
        }
        this.squares = new float[leaves];
    }

    /**
     * Computes the outputs of a range of tokens.
     *
     * @throws IndexOutOfBoundsException when a buffer is shorter than the range
     * @throws NullPointerException when an input that the epilogue needs is absent
     */
    public void compute(int tokens, ReferenceInputs inputs, ReferenceOutputs outputs) {
        for (int token = 0; token < tokens; token++) {
            int first = Math.multiplyExact(token, hidden);
            if (epilogue.hasNorm()) {
                addResidual(first, inputs, outputs);
                norm(first, Objects.requireNonNull(inputs.gamma(), "gamma"), outputs.normOut());
            } else {
                sumOnly(first, inputs.partials(), outputs.sum());
            }
        }
    }

    private void sumOnly(int first, List<ByteBuffer> partials, @Nullable ByteBuffer sumOut) {
        for (int i = 0; i < hidden; i++) {
            write(sumOut, first + i, format.encode(sum(partials, first + i)));
        }
    }

    private void addResidual(int first, ReferenceInputs inputs, ReferenceOutputs outputs) {
        ByteBuffer residual = Objects.requireNonNull(inputs.residual(), "residual");
        for (int i = 0; i < hidden; i++) {
            float sum = sum(inputs.partials(), first + i);
            write(outputs.sum(), first + i, format.encode(sum));
            float updated = sum + format.read(residual, first + i);
            int rounded = format.encode(updated);
            write(outputs.residualOut(), first + i, rounded);
            row[i] = format.decode(rounded);
        }
    }

    private float sum(List<ByteBuffer> partials, int element) {
        float sum = 0f;
        for (int rank = 0; rank < partials.size(); rank++) {
            sum = sum + format.read(partials.get(rank), element);
        }
        return sum;
    }

    private void norm(int first, ByteBuffer gamma, @Nullable ByteBuffer normOut) {
        float mean = sumOfSquares() / (float) hidden;
        float shifted = mean + eps;
        // A double has more than twice a float's digits and two more, so this is the correctly rounded float square
        // root.
        float root = (float) Math.sqrt((double) shifted);
        float scale = 1f / root;
        for (int i = 0; i < hidden; i++) {
            float weight = format.read(gamma, i) + epilogue.weightBias();
            float scaled = row[i] * scale;
            float weighted = scaled * weight;
            write(normOut, first + i, format.encode(weighted));
        }
    }

    private float sumOfSquares() {
        for (int i = 0; i < squares.length; i++) {
            squares[i] = i < hidden ? row[i] * row[i] : 0f;
        }
        for (int nodes = squares.length; nodes > 1; nodes /= 2) {
            for (int i = 0; i < nodes / 2; i++) {
                squares[i] = squares[2 * i] + squares[2 * i + 1];
            }
        }
        return squares[0];
    }

    private void write(@Nullable ByteBuffer output, int element, int bits) {
        if (output != null) {
            format.write(output, element, bits);
        }
    }
}
