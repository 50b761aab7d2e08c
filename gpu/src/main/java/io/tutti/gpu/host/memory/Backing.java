package io.tutti.gpu.host.memory;

/** What can be behind a mapping and behind a handle: memory, or an object that spreads stores to several memories. */
public sealed interface Backing permits PhysicalMemory, MulticastObject {

    /** Where it belongs. */
    MemoryOrigin origin();

    /** How many bytes a mapping of the whole has. */
    long bytes();

    /** This process's descriptor, which other processes can import, or −1 where there is none. */
    int descriptor();

    /** Takes one more reference. */
    Backing retain();

    /** Gives a reference back; with the last one it goes. */
    void release();
}
