package io.tutti.gpu.numerics.reference;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operation in float64, against which accuracy is measured. Only one rounding of the canonical order is kept: the norm
 * is that of the new residual <em>after</em> its rounding to the tensor type, since that is the value which a model carries
 * on. Values beyond the tensor type's range become infinite, as they must in the output. Stateless but for its settings.
 */
public final class Float64Reference {
    private final ReferenceFormat format;
    private final Epilogue epilogue;
    private final int hidden;
    private final float eps;

    /**
     * @param hidden elements of a row
     * @param eps ignored by an epilogue without norm
     */
    public Float64Reference(DType type, Epilogue epilogue, int hidden, float eps) {
        this.format = ReferenceFormat.of(type);
        this.epilogue = epilogue;
        this.hidden = hidden;
        this.eps = eps;
    }

    /** Adds the errors of a range of tokens to totals, for each output that is not null. */
    public void measure(int tokens, ReferenceInputs inputs, ReferenceOutputs actual, ErrorTotals totals) {
        double[] sum = new double[hidden];
        double[] residual = new double[hidden];
        double[] norm = new double[hidden];
        for (int token = 0; token < tokens; token++) {
            computeRow(token, inputs, sum, residual, norm);
            int first = Math.multiplyExact(token, hidden);
            measureRow(first, sum, actual.sum(), totals.sum());
            if (epilogue.hasNorm()) {
                measureRow(first, residual, actual.residualOut(), totals.residualOut());
                measureRow(first, norm, actual.normOut(), totals.normOut());
            }
        }
    }

    /**
     * Computes one token's row.
     *
     * @param token its index within the inputs
     * @param sum receives the sum over the ranks
     * @param residual receives the new residual before its rounding; untouched by an epilogue without norm
     * @param norm receives the normalised output; untouched by an epilogue without norm
     */
    public void computeRow(int token, ReferenceInputs inputs, double[] sum, double[] residual, double[] norm) {
        int first = Math.multiplyExact(token, hidden);
        for (int i = 0; i < hidden; i++) {
            double total = 0;
            for (ByteBuffer partial : inputs.partials()) {
                total += format.read(partial, first + i);
            }
            sum[i] = total;
        }
        if (epilogue.hasNorm()) {
            ByteBuffer old = Objects.requireNonNull(inputs.residual(), "residual");
            for (int i = 0; i < hidden; i++) {
                residual[i] = sum[i] + format.read(old, first + i);
            }
            norm(residual, Objects.requireNonNull(inputs.gamma(), "gamma"), norm);
        }
    }

    private void norm(double[] residual, ByteBuffer gamma, double[] norm) {
        double squares = 0;
        for (int i = 0; i < hidden; i++) {
            norm[i] = format.decode(format.encode(residual[i]));
            squares += norm[i] * norm[i];
        }
        double root = Math.sqrt(squares / hidden + eps);
        for (int i = 0; i < hidden; i++) {
            norm[i] = norm[i] / root * ((double) format.read(gamma, i) + epilogue.weightBias());
        }
    }

    private void measureRow(int first, double[] expected, @Nullable ByteBuffer actual, RelativeError error) {
        if (actual == null) {
            return;
        }
        for (int i = 0; i < hidden; i++) {
            double inRange = Double.isInfinite(format.decode(format.encode(expected[i])))
                    ? Math.copySign(Double.POSITIVE_INFINITY, expected[i])
                    : expected[i];
            error.add(inRange, format.read(actual, first + i));
        }
    }
}
