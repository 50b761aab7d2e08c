package io.tutti.gpu.plan;

/**
 * Where a rank is.
 *
 * @param id identifies the host: boot id and namespaces, or the emulated host's name; a name alone proves nothing
 * @param name the host's name, for people
 * @param sharedMemoryBytes size of {@code /dev/shm} in bytes, which containers keep small; 0 where it is not known
 */
public record HostFacts(String id, String name, long sharedMemoryBytes) {}
