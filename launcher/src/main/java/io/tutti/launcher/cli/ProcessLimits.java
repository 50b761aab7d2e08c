package io.tutti.launcher.cli;

import io.tutti.config.TuttiSettings;
import io.tutti.launcher.processes.ProcessesPlan;
import io.tutti.launcher.run.RunRequest;
import java.time.Duration;

/** How long the launcher waits for its rank processes, so that not even one that stands still can hang the command. */
public final class ProcessLimits {

    private static final Duration MARGIN = Duration.ofSeconds(10);

    /** Longer than a rank process gives itself. */
    private static final Duration END = Duration.ofSeconds(8);

    private ProcessLimits() {}

    public static ProcessesPlan.Limits of(TuttiSettings settings, RunRequest.Limits run) {
        Duration startUp = smaller(settings.cluster().formTimeout(), run.forming());
        // Loading and checking tell how far they are more often than an operation does.
        Duration silence = larger(run.forming(), run.operation()).plus(MARGIN);
        return new ProcessesPlan.Limits(
                startUp, silence, settings.closeTimeout().plus(MARGIN), END);
    }

    private static Duration smaller(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration larger(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
