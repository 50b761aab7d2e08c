package io.tutti.benchmarks.measure;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How many operations a row gets. They are cut into rounds, between which ours and the peers take turns, so that what
 * disturbs the machine for a while disturbs all of them.
 *
 * @param launches measured launches of a row
 * @param together operations of a launch
 * @param rounds turns that each side gets
 */
public record Effort(int launches, int together, int rounds) {

    /** Ours warms up until the compiler has done its work: so long, or so often. */
    static final Duration FIRST_WARM_UP = Duration.ofSeconds(4);

    static final int FIRST_WARM_UP_OPERATIONS = 300_000;

    private static final int ROUNDS = 5;
    private static final int FEWEST = 50;
    private static final int MOST = 2000;
    private static final long BYTES = 256L << 20;
    private static final int WARM_UP_SHARE = 5;
    private static final int WARM_UP_OPERATIONS_AT_LEAST = 3;

    /**
     * For operations on tensors of that size.
     *
     * @param asked operations that the user wants, or empty: then about as many as move 256 MiB, within 50 to 2000
     * @param together operations of a launch, from 1; the operations become a multiple of it
     */
    public static Effort of(OptionalInt asked, long tensorBytes, int together) {
        int operations = asked.orElseGet(() -> (int) Math.max(FEWEST, Math.min(MOST, BYTES / tensorBytes)));
        int launches = asked.isPresent() ? 1 : ROUNDS;
        launches = Math.max(launches, (operations + together - 1) / together);
        return new Effort(launches, together, Math.min(ROUNDS, launches));
    }

    /** Measured launches of a round; the rounds differ by one at most. */
    int launchesOf(int round) {
        return launches / rounds + (round < launches % rounds ? 1 : 0);
    }

    /** Launches before them, for as many operations of the peers. */
    int warmUpOf(int round) {
        int least = (WARM_UP_OPERATIONS_AT_LEAST + together - 1) / together;
        return Math.max(least, launchesOf(round) / WARM_UP_SHARE);
    }
}
