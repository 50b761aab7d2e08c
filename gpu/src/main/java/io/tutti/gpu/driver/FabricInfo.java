package io.tutti.gpu.driver;

/**
 * The NVLink domain of a device.
 *
 * @param clusterUuid the fabric's UUID; all zero means no multi-node fabric
 * @param clique ranks of other cliques have no peer path
 * @param state {@code completed}, {@code in-progress}, {@code not-started} or {@code not-supported}
 * @param health {@code healthy}, what is wrong in words of the management library, or {@code unknown}
 */
public record FabricInfo(String clusterUuid, int clique, String state, String health) {

    /** The health of a domain that nobody was told of. */
    public static final String UNKNOWN_HEALTH = "unknown";

    /** The UUID of a device that belongs to no multi-node fabric. */
    public static final String NO_CLUSTER = "00000000-0000-0000-0000-000000000000";

    /** A domain of unknown health. */
    public FabricInfo(String clusterUuid, int clique, String state) {
        this(clusterUuid, clique, state, UNKNOWN_HEALTH);
    }

    /** Whether two devices of different hosts are in one NVLink domain. */
    public boolean joins(FabricInfo other) {
        return !clusterUuid.equals(NO_CLUSTER)
                && clusterUuid.equals(other.clusterUuid)
                && clique == other.clique
                && state.equals("completed")
                && other.state.equals("completed");
    }

    /** For messages. */
    public String describe() {
        return "cluster=" + (clusterUuid.equals(NO_CLUSTER) ? "none" : clusterUuid) + " clique=" + clique + " state="
                + state;
    }
}
