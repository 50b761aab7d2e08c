package io.tutti.gpu.driver;

/**
 * A kernel of a module.
 *
 * @param value the driver's opaque handle
 */
public record CuFunction(long value) {}
