package io.tutti.gpu.rank;

import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;

/**
 * The one order of a rank's kernels over its own stream and streams of its callers: whichever stream comes next first waits
 * for an event behind what came before. A caller's stream is touched only while its call is made, since its owner may
 * destroy it right afterwards. Confined to the launch lock.
 */
final class StreamOrder implements AutoCloseable {

    private final Driver driver;
    private final CuStream own;
    private final CuEvent last;
    private boolean away;

    StreamOrder(Driver driver, CuStream own) {
        this.driver = driver;
        this.own = own;
        this.last = driver.eventCreate();
    }

    /** What is enqueued on the rank's own stream from here on comes after everything before. */
    void home() {
        if (away) {
            driver.streamWaitEvent(own, last);
            away = false;
        }
    }

    /**
     * Enqueues something on a caller's stream, behind everything before and before everything behind.
     *
     * @param launch hands it over; what it throws is passed on
     */
    void onCallers(CuStream stream, Runnable launch) {
        if (!away) {
            driver.eventRecord(last, own);
        }
        driver.streamWaitEvent(stream, last);
        try {
            launch.run();
        } finally {
            driver.eventRecord(last, stream);
            away = true;
        }
    }

    @Override
    public void close() {
        driver.eventDestroy(last);
    }
}
