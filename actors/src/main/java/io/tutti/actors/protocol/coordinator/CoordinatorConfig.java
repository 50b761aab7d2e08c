package io.tutti.actors.protocol.coordinator;

import io.tutti.gpu.plan.Policy;
import java.util.Objects;

/**
 * What a coordinator is started with.
 *
 * @param communicator the communicator's name, for messages to people
 * @param coordinatorId unique for every start of a coordinator; carries a UUID
 * @param worldSize ranks of the communicator
 * @param protocolVersion of this build; ranks of another are refused
 * @param policy what the site allows; every rank must have the same
 * @param timing how long each thing may take
 * @param limits how often each thing is tried
 */
public record CoordinatorConfig(
        String communicator,
        String coordinatorId,
        int worldSize,
        int protocolVersion,
        Policy policy,
        CoordinatorTiming timing,
        CoordinatorLimits limits) {

    public CoordinatorConfig {
        Objects.requireNonNull(communicator, "communicator");
        Objects.requireNonNull(coordinatorId, "coordinatorId");
        if (worldSize < 1) {
            throw new IllegalArgumentException("a communicator has at least one rank: worldSize=" + worldSize);
        }
    }
}
