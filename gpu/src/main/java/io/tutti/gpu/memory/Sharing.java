package io.tutti.gpu.memory;

import io.tutti.gpu.EpochId;
import java.util.Objects;

/**
 * Who shares memory, and for which epoch; handles are good for this alone.
 *
 * @param epoch the epoch that the memory is made for
 * @param rank the rank that exports or imports
 * @param worldSize ranks of the communicator
 */
public record Sharing(EpochId epoch, int rank, int worldSize) {

    public Sharing {
        Objects.requireNonNull(epoch, "epoch");
    }
}
