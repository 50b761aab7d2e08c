package io.tutti.benchmarks.report;

/** How many digits a figure is told with; all reports agree. */
final class Figures {

    private static final double MICROS_STEPS = 100;
    private static final double BANDWIDTH_STEPS = 10_000;

    private Figures() {}

    /** To a hundredth of a microsecond: the clock is not finer. */
    static double micros(double value) {
        return rounded(value, MICROS_STEPS);
    }

    /** To a tenth of a MB/s. */
    static double bandwidth(double value) {
        return rounded(value, BANDWIDTH_STEPS);
    }

    private static double rounded(double value, double steps) {
        return Double.isFinite(value) ? Math.round(value * steps) / steps : value;
    }
}
