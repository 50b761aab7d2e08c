package io.tutti.benchmarks.stats;

import java.util.Arrays;
import java.util.List;

/**
 * Durations of operations, one for each iteration, in nanoseconds: of one rank, or of the rank that took longest. Immutable.
 */
public final class Samples {

    /** No iteration. */
    public static final Samples NONE = new Samples(new long[0]);

    private final long[] nanos;

    private Samples(long[] nanos) {
        this.nanos = nanos;
    }

    /** In the order in which they were taken. */
    public static Samples of(long... nanos) {
        return new Samples(nanos.clone());
    }

    /**
     * For each iteration the duration on the rank that took longest.
     *
     * @param ranks samples of each rank, or of each process's slowest rank; of the same iterations
     */
    public static Samples slowest(List<Samples> ranks) {
        if (ranks.isEmpty()) {
            return NONE;
        }
        long[] slowest = ranks.get(0).nanos.clone();
        for (Samples rank : ranks) {
            if (rank.nanos.length != slowest.length) {
                throw new IllegalArgumentException("ranks have measured different numbers of iterations: first="
                        + slowest.length + " other=" + rank.nanos.length);
            }
            for (int i = 0; i < slowest.length; i++) {
                slowest[i] = Math.max(slowest[i], rank.nanos[i]);
            }
        }
        return new Samples(slowest);
    }

    /** These and later ones. */
    public Samples and(Samples later) {
        long[] both = Arrays.copyOf(nanos, nanos.length + later.nanos.length);
        System.arraycopy(later.nanos, 0, both, nanos.length, later.nanos.length);
        return new Samples(both);
    }

    /** The means of so many iterations after another each; what is left over at the end is left out. */
    public Samples means(int together) {
        long[] means = new long[nanos.length / together];
        for (int i = 0; i < means.length; i++) {
            long sum = 0;
            for (int j = 0; j < together; j++) {
                sum += nanos[i * together + j];
            }
            means[i] = sum / together;
        }
        return new Samples(means);
    }

    /** A copy, in the order in which they were taken. */
    public long[] nanos() {
        return nanos.clone();
    }

    public int count() {
        return nanos.length;
    }

    /** The median in microseconds, of an even number the mean of the middle two; not a number without samples. */
    public double medianMicros() {
        if (nanos.length == 0) {
            return Double.NaN;
        }
        long[] sorted = sorted();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2.0 / 1000.0;
    }

    /** The smallest sample in microseconds that at least 99 % do not exceed; not a number without samples. */
    public double p99Micros() {
        if (nanos.length == 0) {
            return Double.NaN;
        }
        int rank = (int) ((nanos.length * 99L + 99) / 100);
        return sorted()[rank - 1] / 1000.0;
    }

    private long[] sorted() {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
