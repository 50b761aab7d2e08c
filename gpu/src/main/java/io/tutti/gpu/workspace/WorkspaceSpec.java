package io.tutti.gpu.workspace;

/**
 * The agreed sizes from which {@code WorkspaceLayout} derives every offset of a rank's workspace.
 *
 * @param worldSize ranks of the communicator, 1 to 72
 * @param oneShotBytes capacity of one source's one-shot stage slot, a multiple of 128
 * @param twoShotBytes tensor bytes that one two-shot launch can carry, a multiple of 128
 */
public record WorkspaceSpec(int worldSize, long oneShotBytes, long twoShotBytes) {}
