package io.tutti.gpu.driver;

/**
 * A captured graph.
 *
 * @param value the driver's opaque handle
 */
public record CuGraph(long value) {}
