package io.tutti.actors.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A queue of what happens when, in microseconds; equal times happen in the order in which they were planned. */
final class VirtualTime {

    private record Entry(long time, long order, Runnable action) {}

    private final PriorityQueue<Entry> queue =
            new PriorityQueue<>(Comparator.comparingLong(Entry::time).thenComparingLong(Entry::order));
    private long now;
    private long planned;

    long now() {
        return now;
    }

    void after(long micros, Runnable action) {
        at(now + micros, action);
    }

    void at(long time, Runnable action) {
        queue.add(new Entry(Math.max(time, now), planned++, action));
    }

    /** Lets the next thing happen; false when nothing is planned. */
    boolean step() {
        Entry next = queue.poll();
        if (next == null) {
            return false;
        }
        now = next.time();
        next.action().run();
        return true;
    }
}
