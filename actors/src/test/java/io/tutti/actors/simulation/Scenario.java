package io.tutti.actors.simulation;

import io.tutti.actors.protocol.Stage;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule contains, drawn from its seed. Percentages and permilles are probabilities for each occasion.
 *
 * @param worldSize ranks
 * @param lossy whether messages are lost, doubled and reordered; otherwise the order between any two is kept
 * @param longestDelay of a message, in microseconds
 * @param stageFaults permille of a stage that fails or is late
 * @param lateCalls permille of a call that one rank makes too late
 * @param mismatches permille of a call that one rank makes differently
 * @param deviceErrors permille of a call that one device refuses
 * @param deaths of rank processes
 * @param restarts of ranks whose process lives on
 * @param stops of rank processes, which continue later
 * @param twins rank processes that stop, are replaced, and continue later all the same
 * @param moves of the coordinator
 * @param deathAt the stage at whose start a rank process dies, or null
 * @param moveAt the stage at whose start the coordinator moves, or null
 * @param operations that users want
 * @param close how it ends
 */
record Scenario(
        int worldSize,
        boolean lossy,
        long longestDelay,
        int stageFaults,
        int lateCalls,
        int mismatches,
        int deviceErrors,
        int deaths,
        int restarts,
        int stops,
        int twins,
        int moves,
        @Nullable Stage deathAt,
        @Nullable Stage moveAt,
        int operations,
        Close close) {

    enum Close {
        ALL_LEAVE,
        ONE_LEAVES,
        NONE_LEAVES
    }

    /** Until when anything goes wrong, in microseconds. */
    static final long FAULTS_END = 1_500_000;

    static Scenario draw(SplittableRandom random) {
        int worldSize = random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 1 + random.nextInt(4);
        boolean lossy = random.nextInt(2) == 0;
        boolean calm = random.nextInt(8) == 0;
        return new Scenario(
                worldSize,
                lossy,
                1L << (6 + random.nextInt(lossy ? 11 : 8)),
                calm ? 0 : random.nextInt(3) * 15,
                calm ? 0 : random.nextInt(3) * 60,
                calm ? 0 : random.nextInt(3) * 60,
                calm ? 0 : random.nextInt(2) * 60,
                calm ? 0 : Math.max(0, random.nextInt(5) - 2),
                calm ? 0 : Math.max(0, random.nextInt(5) - 3),
                calm ? 0 : Math.max(0, random.nextInt(5) - 2),
                calm ? 0 : Math.max(0, random.nextInt(5) - 3),
                calm ? 0 : Math.max(0, random.nextInt(5) - 2),
                calm ? null : stage(random),
                calm ? null : stage(random),
                random.nextInt(6),
                Close.values()[random.nextInt(3)]);
    }

    private static @Nullable Stage stage(SplittableRandom random) {
        return random.nextInt(4) == 0 ? Stage.values()[random.nextInt(Stage.values().length)] : null;
    }
}
