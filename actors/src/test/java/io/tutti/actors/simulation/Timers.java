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
    private final Map<T, Object> running;

    Timers(VirtualTime time, Class<T> names, Consumer<T> fire) {
        this.time = time;
        this.fire = fire;
        this.running = new EnumMap<>(names);
    }

    void start(T timer, Duration delay) {
        Object token = new Object();
        running.put(timer, token);
        time.after(delay.toNanos() / 1000, () -> {
            if (running.get(timer) == token) {
                running.remove(timer);
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
