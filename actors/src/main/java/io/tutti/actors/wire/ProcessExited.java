package io.tutti.actors.wire;

/**
 * Whoever started a rank process saw it end: none of its kernels will store again. Every communicator's coordinator is
 * told; one that had no rank there ignores it.
 *
 * @param communicator the communicator's name, not empty
 * @param instance the UUID of this instance of the communicator, not empty
 * @param processId the process's identity, as in its ranks' facts, not empty
 * @param how how it ended, for people, not empty
 */
public record ProcessExited(String communicator, String instance, String processId, String how)
        implements CoordinatorInbox {

    public ProcessExited {
        Require.filled("communicator", communicator);
        Require.filled("instance", instance);
        Require.filled("processId", processId);
        Require.filled("how", how);
    }

    @Override
    public String kind() {
        return getClass().getSimpleName();
    }
}
