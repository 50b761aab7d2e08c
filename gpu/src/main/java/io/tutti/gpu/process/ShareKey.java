package io.tutti.gpu.process;

import io.tutti.gpu.EpochId;
import java.util.Objects;
import java.util.UUID;

/**
 * Names shared memory: whose, and of which epoch.
 *
 * @param communicator the UUID of the communicator's instance
 * @param rank the owner
 * @param epoch the epoch that the memory is made for
 */
public record ShareKey(UUID communicator, int rank, EpochId epoch) {

    public ShareKey {
        Objects.requireNonNull(communicator, "communicator");
        Objects.requireNonNull(epoch, "epoch");
    }
}
