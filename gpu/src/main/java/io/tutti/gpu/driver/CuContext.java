package io.tutti.gpu.driver;

/**
 * A context.
 *
 * @param value the driver's opaque handle
 */
public record CuContext(long value) {}
