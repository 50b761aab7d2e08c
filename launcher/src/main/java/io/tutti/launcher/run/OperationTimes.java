package io.tutti.launcher.run;

import java.util.Arrays;

/** The durations of a run's operations. Confined to one thread. */
final class OperationTimes {

    private final long[] nanos;
    private int count;

    OperationTimes(int operations) {
        nanos = new long[operations];
    }

    void add(long duration) {
        nanos[count++] = duration;
    }

    /** The median in microseconds, of an even number the mean of the middle two; to a hundredth. */
    double medianMicros() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0;
        return Math.round(median / 10.0) / 100.0;
    }
}
