package io.tutti.gpu.driver;

/**
 * The NVLink domain of a device.
 *
 * @param clusterUuid the fabric's UUID; all zero means no multi-node fabric
 * @param clique ranks of other cliques have no peer path
 * @param state {@code completed}, {@code in-progress}, {@code not-started} or {@code not-supported}
 */
public record FabricInfo(String clusterUuid, int clique, String state) {}
