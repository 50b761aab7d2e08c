package io.tutti.actors.wire;

import io.tutti.actors.protocol.RankMessage;
import java.util.Objects;

/**
 * A coordinator's message to a rank.
 *
 * @param communicator the communicator's name, not empty
 * @param instance the UUID of this instance of the communicator, not empty
 * @param message what the coordinator says
 */
public record ToRank(String communicator, String instance, RankMessage message) implements WireMessage {

    public ToRank {
        Require.filled("communicator", communicator);
        Require.filled("instance", instance);
        Objects.requireNonNull(message, "message");
    }

    @Override
    public String kind() {
        return message.getClass().getSimpleName();
    }
}
