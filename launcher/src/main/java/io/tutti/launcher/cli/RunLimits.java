package io.tutti.launcher.cli;

import io.tutti.config.TuttiSettings;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.RunRequest;
import java.time.Duration;

/** How long a run waits for the runtime, so that not even a defect in the runtime can hang the command. */
public final class RunLimits {

    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofDays(7);

    /** An operation that does not fit into the workspace goes in launches, each with its own deadline. */
    private static final long BYTES_PER_LAUNCH = 1L << 20;

    private RunLimits() {}

    /** Longer than every deadline that the runtime has for the same thing. */
    public static RunRequest.Limits of(TuttiSettings settings, OperationShape shape) {
        Duration forming = settings.cluster()
                .formTimeout()
                .plus(settings.stageTimeouts().total())
                .plus(MARGIN);
        long launches = 1 + shape.bytes() / BYTES_PER_LAUNCH;
        Duration operation = settings.operationTimeout().multipliedBy(launches).plus(MARGIN);
        return new RunRequest.Limits(forming, operation.compareTo(LONGEST) > 0 ? LONGEST : operation);
    }
}
