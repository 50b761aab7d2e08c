package io.tutti.gpu.driver;

/**
 * {@code CUmulticastObjectProp}.
 *
 * @param devices how many devices are to be added
 * @param bytes how much memory each of them can bind; a multiple of the multicast granularity
 * @param shareable the handle types it can be exported as; {@link ShareableType#NONE} for none
 */
public record MulticastProperties(int devices, long bytes, ShareableType shareable) {}
