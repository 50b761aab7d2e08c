package io.tutti.benchmarks.forming;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What the coordinators of this process count, from {@link #begin} on. To be opened before the first runtime starts. Confined
 * to one thread.
 */
final class ControlPlaneFigures implements AutoCloseable {

    private static final String MESSAGES = "tutti.coordinator.messages";
    private static final String FORMING = "tutti.epoch.forming";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Map<String, Double> nanosBefore = new HashMap<>();
    private double messagesBefore;
    private long epochsBefore;

    ControlPlaneFigures() {
        Metrics.addRegistry(registry);
    }

    /** Counts from here. */
    void begin() {
        messagesBefore = allMessages();
        epochsBefore = allEpochs();
        registry.find(FORMING).timers().forEach(timer -> nanosBefore.put(communicator(timer), nanos(timer)));
    }

    /** Messages to and from all ranks. */
    double messages() {
        return allMessages() - messagesBefore;
    }

    /** Of the communicator that took longest to form. */
    double slowestFormingMillis() {
        return registry.find(FORMING).timers().stream()
                        .mapToDouble(timer -> nanos(timer) - nanosBefore.getOrDefault(communicator(timer), 0.0))
                        .max()
                        .orElse(0)
                / 1e6;
    }

    /** Epochs that were formed. */
    long epochs() {
        return allEpochs() - epochsBefore;
    }

    private double allMessages() {
        return registry.find(MESSAGES).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private long allEpochs() {
        return registry.find(FORMING).timers().stream().mapToLong(Timer::count).sum();
    }

    private static double nanos(Timer timer) {
        return timer.totalTime(TimeUnit.NANOSECONDS);
    }

    private static String communicator(Timer timer) {
        return String.valueOf(timer.getId().getTag("communicator"));
    }

    @Override
    public void close() {
        Metrics.removeRegistry(registry);
        registry.close();
    }
}
