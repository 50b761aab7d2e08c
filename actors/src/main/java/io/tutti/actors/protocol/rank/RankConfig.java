package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.gpu.plan.Policy;
import java.util.Objects;

/**
 * What a rank is started with.
 *
 * @param communicator the communicator's name, for messages to people
 * @param self this life of this rank
 * @param worldSize ranks of the communicator
 * @param protocolVersion of this build
 * @param policy what this rank's site allows; the coordinator's must be the same
 * @param timing how long each thing may take
 */
public record RankConfig(
        String communicator, Incarnation self, int worldSize, int protocolVersion, Policy policy, RankTiming timing) {

    public RankConfig {
        Objects.requireNonNull(communicator, "communicator");
        Objects.requireNonNull(self, "self");
    }
}
