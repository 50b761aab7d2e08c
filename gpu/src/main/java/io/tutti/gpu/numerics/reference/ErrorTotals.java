package io.tutti.gpu.numerics.reference;

/**
 * The errors of one operation's outputs, gathered over ranges of tokens.
 *
 * @param sum of the plain sum
 * @param residualOut of the new residual
 * @param normOut of the normalised output
 */
public record ErrorTotals(RelativeError sum, RelativeError residualOut, RelativeError normOut) {
    /** Totals of nothing yet. */
    public ErrorTotals() {
        this(new RelativeError(), new RelativeError(), new RelativeError());
    }

    /** The largest relative error of the three; an output that was never measured counts as 0. */
    public double largest() {
        return Math.max(sum.relative(), Math.max(residualOut.relative(), normOut.relative()));
    }
}
