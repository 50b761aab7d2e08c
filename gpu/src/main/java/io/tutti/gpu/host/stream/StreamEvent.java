package io.tutti.gpu.host.stream;

import org.jspecify.annotations.Nullable;

/**
 * An event: how often it was recorded, and which of the records has been reached. Waiting for it means waiting for the
 * record that was the newest when the wait was enqueued. Thread-safe.
 */
public final class StreamEvent {

    private final DeviceHealth device;
    private volatile long recorded;
    private volatile long reached;
    private long reachedNanos;
    private volatile @Nullable Capture capture;

    public StreamEvent(DeviceHealth device) {
        this.device = device;
    }

    public DeviceHealth device() {
        return device;
    }

    synchronized long nextRecord() {
        capture = null;
        return ++recorded;
    }

    long recorded() {
        return recorded;
    }

    synchronized void reach(long record) {
        if (record > reached) {
            reachedNanos = System.nanoTime();
            reached = record;
        }
    }

    boolean hasReached(long record) {
        return reached >= record;
    }

    void captureIn(Capture owner) {
        capture = owner;
    }

    /** The capture that the event was last recorded in, or null. */
    public @Nullable Capture capture() {
        return capture;
    }

    public boolean everRecorded() {
        return recorded > 0;
    }

    /** True when the newest record has been reached, and when there was none. */
    public boolean isComplete() {
        return reached >= recorded;
    }

    /** When the newest reached record was reached, by {@link System#nanoTime()}. */
    public synchronized long nanos() {
        return reachedNanos;
    }
}
