package io.tutti.gpu.driver;

/**
 * A stream.
 *
 * @param value the driver's opaque handle
 */
public record CuStream(long value) {}
