package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.Stage;
import java.time.Duration;
import java.util.Map;

/**
 * How long a coordinator waits for what.
 *
 * @param gather for all ranks' hellos, at the start and after a rank was lost
 * @param claim for all ranks' promises
 * @param stages what a rank may take for a stage; a stage that is not named takes {@code stage}
 * @param stage what a rank may take for any other stage, and all ranks for acknowledging a commit
 * @param margin how much longer than a rank the coordinator waits, so that a rank's own words arrive first
 * @param drain for all ranks to drain after an abort
 * @param resend between repetitions of what is not answered
 * @param closeGrace for the other ranks to leave once the first has
 * @param backoffFirst before an epoch after one in which nothing completed; doubled each time
 * @param backoffMost the largest such pause
 * @param notReady between tries while a driver answers that the system is not ready
 */
public record CoordinatorTiming(
        Duration gather,
        Duration claim,
        Map<Stage, Duration> stages,
        Duration stage,
        Duration margin,
        Duration drain,
        Duration resend,
        Duration closeGrace,
        Duration backoffFirst,
        Duration backoffMost,
        Duration notReady) {

    public CoordinatorTiming {
        stages = Map.copyOf(stages);
    }

    /** Defaults for ranks on one or a few hosts. */
    public static CoordinatorTiming standard() {
        return new CoordinatorTiming(
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Map.of(),
                Duration.ofSeconds(10),
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                Duration.ofMillis(20),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1));
    }

    /** What a rank may take for the stage. */
    public Duration of(Stage which) {
        return stages.getOrDefault(which, stage);
    }
}
