package io.tutti.gpu.host.execution;

/**
 * A resolved device address: the bytes from {@code offset} of {@code window} on, as far as was asked for.
 *
 * @param window the window that holds all of it
 * @param offset byte offset of the address in the window
 */
public record Span(MemoryWindow window, int offset) {}
