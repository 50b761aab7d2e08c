package io.tutti.launcher;

import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run close cleanly on SIGINT and SIGTERM: the JVM answers both by running its shutdown hooks, of which this is
 * one, and then exits with 130 or 143. The hook stops the run and waits, within a bound, until it has closed everything.
 */
final class StopOnSignal {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final Waits waits;
    private volatile Runnable abandon = () -> {};
    private final CountDownLatch finished = new CountDownLatch(1);

    private StopOnSignal(Waits waits) {
        this.waits = waits;
    }

    static StopOnSignal install(Waits waits) {
        StopOnSignal signals = new StopOnSignal(waits);
        Runtime.getRuntime().addShutdownHook(new Thread(signals::stop, "tutti-stop"));
        return signals;
    }

    /** @param newAbandon tells the user that the run did not end in time; the process ends when it returns */
    void whenStuck(Runnable newAbandon) {
        abandon = newAbandon;
    }

    /** The run is over and its result is told; from here on the hook has nothing to do. */
    void finished() {
        finished.countDown();
    }

    private void stop() {
        if (finished.getCount() == 0) {
            return;
        }
        waits.stop("the process was asked to end");
        try {
            if (!finished.await(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                abandon.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
