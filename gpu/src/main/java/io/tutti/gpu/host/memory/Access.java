package io.tutti.gpu.host.memory;

/** Which devices of this process may touch a mapping; devices by ordinal. Implementations are thread-safe. */
@FunctionalInterface
public interface Access {

    /** Host-mapped memory. */
    Access EVERY_DEVICE = device -> true;

    boolean allows(int device);
}
