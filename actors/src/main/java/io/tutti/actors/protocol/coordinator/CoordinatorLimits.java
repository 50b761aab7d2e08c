package io.tutti.actors.protocol.coordinator;

/**
 * How often a coordinator tries what.
 *
 * @param attempts epochs formed in vain, one after the other, before the communicator fails
 * @param claims terms claimed in vain, one after the other, before the communicator fails
 * @param notReady tries, in lock-step, while a driver answers that the system is not ready
 * @param shrinks halvings of the workspace after a rank ran out of memory, before the path is given up
 * @param smallestWorkspace bytes below which the workspace is not halved
 */
public record CoordinatorLimits(int attempts, int claims, int notReady, int shrinks, long smallestWorkspace) {

    public static CoordinatorLimits standard() {
        return new CoordinatorLimits(16, 8, 10, 4, 1L << 20);
    }
}
