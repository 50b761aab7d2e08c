package io.tutti.gpu.driver;

/**
 * A loaded module.
 *
 * @param value the driver's opaque handle
 */
public record CuModule(long value) {}
