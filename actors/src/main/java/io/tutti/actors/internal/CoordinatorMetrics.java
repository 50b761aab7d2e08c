package io.tutti.actors.internal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.coordinator.CoordinatorNotice;
import java.time.Duration;

/**
 * A communicator's control plane in figures, in Micrometer's global registry, where an embedding program adds registries of
 * its own. docs/metrics.md describes each. Every message of the protocol passes the coordinator, so what it counts is all
 * there is. Confined to the coordinator's actor.
 */
final class CoordinatorMetrics {

    private static final String MESSAGES = "tutti.coordinator.messages";
    private static final String FORMING = "tutti.epoch.forming";
    private static final String COMMUNICATOR = "communicator";

    private final Counter received;
    private final Counter sent;
    private final Timer forming;
    private long formingSince;

    CoordinatorMetrics(String communicator) {
        received = messages(communicator, "received");
        sent = messages(communicator, "sent");
        forming = Timer.builder(FORMING)
                .description("From the order of an epoch's first stage until all ranks have entered it.")
                .tag(COMMUNICATOR, communicator)
                .register(Metrics.globalRegistry);
    }

    private static Counter messages(String communicator, String direction) {
        return Counter.builder(MESSAGES)
                .description("Messages between a coordinator and its ranks.")
                .tag(COMMUNICATOR, communicator)
                .tag("direction", direction)
                .register(Metrics.globalRegistry);
    }

    void received() {
        received.increment();
    }

    void sent() {
        sent.increment();
    }

    void notice(CoordinatorNotice notice) {
        if (notice instanceof CoordinatorNotice.StageStarted started && started.stage() == Stage.IDENTITY) {
            formingSince = System.nanoTime();
        } else if (notice instanceof CoordinatorNotice.EpochCommitted) {
            forming.record(Duration.ofNanos(System.nanoTime() - formingSince));
        }
    }
}
