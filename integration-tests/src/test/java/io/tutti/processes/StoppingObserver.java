package io.tutti.processes;

import io.tutti.actors.spi.StageObserver;
import io.tutti.gpu.EpochId;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds a rank at a named point until its process is killed: {@code -Dtuttitest.stop-at="before export 2"} for rank 2,
 * before the stage export. Says on stderr that it is there, and which process that is.
 */
public final class StoppingObserver implements StageObserver {

    static final String PROPERTY = "tuttitest.stop-at";
    static final String ANNOUNCEMENT = "stopped at ";

    /** Longer than any test waits. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final @Nullable String stopAt = System.getProperty(PROPERTY);

    @Override
    public void before(int rank, EpochId epoch, String stage) {
        stop("before", rank, stage);
    }

    @Override
    public void after(int rank, EpochId epoch, String stage) {
        stop("after", rank, stage);
    }

    private void stop(String when, int rank, String stage) {
        String here = String.format(Locale.ROOT, "%s %s %d", when, stage, rank);
        if (!here.equals(stopAt)) {
            return;
        }
        System.err.println(
                ANNOUNCEMENT + here + " pid=" + ProcessHandle.current().pid() + ".");
        try {
            new CountDownLatch(1).await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
