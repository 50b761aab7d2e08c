package io.tutti.actors.simulation;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A node's timers: starting replaces, and what was cancelled or replaced never fires. */
final class Timers<T extends Enum<T>> {

    private final VirtualTime time;
    private final Consumer<T> fire;
    private final Map<T, Long> running;
    private long started;

    Timers(VirtualTime time, Class<T> names, Consumer<T> fire) {
        this.time = time;
        this.fire = fire;
        this.running = new EnumMap<>(names);
    }

    void start(T timer, Duration delay) {
        long start = ++started;
        running.put(timer, start);
        time.after(delay.toNanos() / 1000, () -> {
            if (running.remove(timer, start)) {
                fire.accept(timer);
            }
        });
    }

    void cancel(T timer) {
        running.remove(timer);
    }

    Set<T> running() {
        return running.keySet();
    }
}
