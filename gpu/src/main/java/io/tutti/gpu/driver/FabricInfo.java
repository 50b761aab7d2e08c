package io.tutti.gpu.driver;

/**
 * The NVLink domain of a device.
 *
 * @param clusterUuid the fabric's UUID; all zero means no multi-node fabric
 * @param clique ranks of other cliques have no peer path
 * @param state {@code completed}, {@code in-progress}, {@code not-started} or {@code not-supported}
 */
public record FabricInfo(String clusterUuid, int clique, String state) {

    /** The UUID of a device that belongs to no multi-node fabric. */
    public static final String NO_CLUSTER = "00000000-0000-0000-0000-000000000000";

    /** Whether two devices of different hosts are in one NVLink domain. */
    public boolean joins(FabricInfo other) {
        return !clusterUuid.equals(NO_CLUSTER)
                && clusterUuid.equals(other.clusterUuid)
                && clique == other.clique
                && state.equals("completed")
                && other.state.equals("completed");
    }
}
