package io.tutti.gpu.rank;

import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import org.jspecify.annotations.Nullable;

/**
 * The way of control threads into device memory beside the rank's own stream, on which a kernel may be waiting. Its stream
 * is made when it is first needed. Safe for any thread whose current context is the rank's; never waits for the device,
 * except in {@link #synchronize}.
 */
final class ControlLane implements AutoCloseable {

    private final Driver driver;
    private @Nullable CuStream stream;

    ControlLane(Driver driver) {
        this.driver = driver;
    }

    /** Stores one word, soon. */
    synchronized void store(long address, int word) {
        if (stream == null) {
            stream = driver.streamCreate();
        }
        driver.memsetD32Async(address, word, 1, stream);
    }

    /** Waits until every word is stored; false when the time ran out first. */
    boolean synchronize(long timeoutNanos) {
        CuStream used;
        synchronized (this) {
            used = stream;
        }
        return used == null || driver.streamSynchronize(used, timeoutNanos);
    }

    @Override
    public synchronized void close() {
        if (stream != null) {
            driver.streamDestroy(stream);
            stream = null;
        }
    }
}
