package io.tutti.actors.wire;

import io.tutti.actors.protocol.CoordinatorMessage;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * A rank's message to its coordinator.
 *
 * @param communicator the communicator's name, not empty
 * @param instance the UUID of this instance of the communicator, not empty
 * @param replyTo the actor that takes the coordinator's messages to this rank
 * @param message what the rank says
 */
public record ToCoordinator(String communicator, String instance, ActorRef<ToRank> replyTo, CoordinatorMessage message)
        implements CoordinatorInbox {

    public ToCoordinator {
        Require.filled("communicator", communicator);
        Require.filled("instance", instance);
        Objects.requireNonNull(replyTo, "replyTo");
        Objects.requireNonNull(message, "message");
    }

    @Override
    public String kind() {
        return message.getClass().getSimpleName();
    }
}
