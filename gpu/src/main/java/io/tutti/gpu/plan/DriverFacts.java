package io.tutti.gpu.plan;

/**
 * What a rank's calls go through.
 *
 * @param name {@code host} or {@code cuda}
 * @param version as the driver reports it
 * @param abiVersion kernel ABI version of this build, which also stands for its largest shapes
 */
public record DriverFacts(String name, int version, int abiVersion) {}
