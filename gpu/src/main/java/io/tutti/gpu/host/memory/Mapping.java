package io.tutti.gpu.host.memory;

/**
 * Memory, or a multicast object, at an address.
 *
 * @param base first device address
 * @param bytes mapped bytes
 * @param memory what is mapped
 * @param memoryOffset where in {@code memory} the mapping starts
 * @param access who may touch it
 */
public record Mapping(long base, long bytes, Backing memory, long memoryOffset, Access access) {

    public long end() {
        return base + bytes;
    }

    /** Whether the whole range is mapped here. */
    public boolean holds(long address, long length) {
        return address >= base && length >= 0 && length <= end() - address;
    }
}
