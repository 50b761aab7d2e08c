package io.tutti.actors.internal;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.coordinator.CoordinatorConfig;
import io.tutti.actors.wire.CoordinatorInbox;
import io.tutti.actors.wire.ProcessExited;
import io.tutti.actors.wire.ToCoordinator;
import io.tutti.actors.wire.ToRank;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import java.util.UUID;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.typed.ClusterSingleton;
import org.apache.pekko.cluster.typed.ClusterSingletonSettings;
import org.apache.pekko.cluster.typed.SingletonActor;

/** A communicator's coordinator as its ranks see it: wherever in the cluster it runs, and also while it moves. */
final class CoordinatorProxy {

    private final String communicator;
    private final String instance;
    private final ActorRef<CoordinatorInbox> singleton;

    private CoordinatorProxy(String communicator, String instance, ActorRef<CoordinatorInbox> singleton) {
        this.communicator = communicator;
        this.instance = instance;
        this.singleton = singleton;
    }

    static CoordinatorProxy start(ActorSystem<?> system, TuttiSettings settings, CommunicatorSettings communicator) {
        String instance = CommunicatorInstance.of(settings, communicator).toString();
        CoordinatorConfig config =
                CoordinatorConfigs.of(settings, communicator, UUID.randomUUID().toString());
        ActorRef<CoordinatorInbox> singleton = ClusterSingleton.get(system)
                .init(SingletonActor.of(
                                CoordinatorActor.create(config, instance), "tutti-coordinator-" + communicator.name())
                        .withSettings(singletonSettings(system, settings)));
        return new CoordinatorProxy(communicator.name(), instance, singleton);
    }

    private static ClusterSingletonSettings singletonSettings(ActorSystem<?> system, TuttiSettings settings) {
        ClusterSingletonSettings standard = ClusterSingletonSettings.create(system);
        return settings.cluster().coordinatorRole().map(standard::withRole).orElse(standard);
    }

    String instance() {
        return instance;
    }

    void processExited(String processId, String how) {
        singleton.tell(new ProcessExited(communicator, instance, processId, how));
    }

    void tell(CoordinatorMessage message, ActorRef<ToRank> replyTo) {
        singleton.tell(new ToCoordinator(communicator, instance, replyTo, message));
    }
}
