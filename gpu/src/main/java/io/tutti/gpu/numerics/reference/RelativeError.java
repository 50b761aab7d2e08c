package io.tutti.gpu.numerics.reference;

/**
 * Gathers ‖actual − expected‖ ÷ ‖expected‖ (Euclidean norms) over any number of elements. Confined to one thread.
 *
 * <p>An element where both are NaN, or both the same infinity, agrees and is left out of both norms. An element where
 * exactly one of them is finite, or both are not but differ, is a mismatch of kind and makes the error infinite: no norm
 * can weigh it, and leaving it out would hide it.
 */
public final class RelativeError {
    private double squaredError;
    private double squaredReference;
    private long kindMismatches;

    /** Adds one element. */
    public void add(double expected, double actual) {
        if (Double.isFinite(expected) && Double.isFinite(actual)) {
            double error = actual - expected;
            squaredError += error * error;
            squaredReference += expected * expected;
        } else if (Double.compare(expected, actual) != 0) {
            kindMismatches++;
        }
    }

    /**
     * The error so far: 0 when nothing differs, also when all references are zero or nothing was added; infinite when a
     * difference meets a reference of norm zero, or when there was a mismatch of kind.
     */
    public double relative() {
        if (kindMismatches > 0) {
            return Double.POSITIVE_INFINITY;
        }
        return squaredError == 0 ? 0 : Math.sqrt(squaredError) / Math.sqrt(squaredReference);
    }

    /** Elements of which exactly one side is finite, or which are different infinities or NaN. */
    public long kindMismatches() {
        return kindMismatches;
    }
}
