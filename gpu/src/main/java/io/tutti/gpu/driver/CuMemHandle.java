package io.tutti.gpu.driver;

/**
 * A reference to physical memory.
 *
 * @param value the driver's opaque handle
 */
public record CuMemHandle(long value) {}
