package io.tutti.gpu.driver;

/**
 * {@code CUmemAllocationProp} for pinned device memory.
 *
 * @param device where the memory lives
 * @param shareable the handle types it can be exported as; {@link ShareableType#NONE} for none
 */
public record AllocationProperties(int device, ShareableType shareable) {}
