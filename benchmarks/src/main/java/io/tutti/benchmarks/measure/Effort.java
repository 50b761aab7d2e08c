package io.tutti.benchmarks.measure;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How many operations a row gets. They are cut into rounds, between which ours and the peers take turns, so that what
 * disturbs the machine for a while disturbs all of them.
 *
 * @param iterations measured operations of a row
 * @param rounds turns that each side gets
 */
public record Effort(int iterations, int rounds) {

    /** Ours warms up until the compiler has done its work: so long, or so often. */
    static final Duration FIRST_WARM_UP = Duration.ofMillis(1500);

    static final int FIRST_WARM_UP_OPERATIONS = 20_000;

    private static final int ROUNDS = 5;
    private static final int FEWEST = 50;
    private static final int MOST = 2000;
    private static final long BYTES = 256L << 20;
    private static final int WARM_UP_SHARE = 5;
    private static final int WARM_UP_AT_LEAST = 3;

    /**
     * For operations on tensors of that size.
     *
     * @param asked what the user wants, or empty: then about as many as move 256 MiB, within 50 to 2000
     */
    public static Effort of(OptionalInt asked, long tensorBytes) {
        int iterations = asked.orElseGet(() -> (int) Math.max(FEWEST, Math.min(MOST, BYTES / tensorBytes)));
        return new Effort(iterations, Math.min(ROUNDS, iterations));
    }

    /** Measured operations of a round; the rounds differ by one at most. */
    int iterationsOf(int round) {
        return iterations / rounds + (round < iterations % rounds ? 1 : 0);
    }

    /** Operations before them, the same for ours and for the peers. */
    int warmUpOf(int round) {
        return Math.max(WARM_UP_AT_LEAST, iterationsOf(round) / WARM_UP_SHARE);
    }
}
