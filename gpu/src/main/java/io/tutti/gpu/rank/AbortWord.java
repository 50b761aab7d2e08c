package io.tutti.gpu.rank;

import io.tutti.gpu.abi.Words;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.HostMapped;

/** The host-mapped word that any thread may set to abort an epoch; it only grows. */
final class AbortWord implements AutoCloseable {

    private static final int BYTES = 64;

    private final Driver driver;
    private final HostMapped memory;
    private long aborted;
    private boolean closed;

    AbortWord(Driver driver) {
        this.driver = driver;
        this.memory = driver.memHostAlloc(BYTES);
    }

    long devicePointer() {
        return memory.devicePointer();
    }

    /**
     * Aborts an epoch and all before it.
     *
     * @return whether that was new
     */
    synchronized boolean raise(long epoch) {
        if (closed || epoch <= aborted) {
            return false;
        }
        aborted = epoch;
        Words.setIntRelease(memory.buffer(), 0, (int) epoch);
        return true;
    }

    synchronized boolean isAborted(long epoch) {
        return epoch <= aborted;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            driver.memFreeHost(memory);
        }
    }
}
