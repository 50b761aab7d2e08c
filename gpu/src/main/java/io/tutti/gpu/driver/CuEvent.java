package io.tutti.gpu.driver;

/**
 * An event.
 *
 * @param value the driver's opaque handle
 */
public record CuEvent(long value) {}
