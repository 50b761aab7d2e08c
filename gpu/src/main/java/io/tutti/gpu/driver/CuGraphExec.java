package io.tutti.gpu.driver;

/**
 * An instantiated graph.
 *
 * @param value the driver's opaque handle
 */
public record CuGraphExec(long value) {}
