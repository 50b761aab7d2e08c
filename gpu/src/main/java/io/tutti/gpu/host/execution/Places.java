package io.tutti.gpu.host.execution;

import org.jspecify.annotations.Nullable;

/** Memory of other ranks on this emulated host, which kernels read in place. */
public interface Places {

    /**
     * Says where memory of the kernel's own device physically is, so that kernels of other ranks can read it in place.
     *
     * @param into takes the answer; unknown where no other rank could
     */
    void locate(long devicePointer, long bytes, MemoryPlace into);

    /** Whether the memory at an address is on this emulated host, so that kernels may read such memory in place. */
    boolean isOnThisHost(long devicePointer);

    /**
     * Maps a place of another rank's memory for {@link #inPlace}, once; it stays mapped while it is used. This takes far
     * longer than a call.
     *
     * @return false when this process cannot
     */
    boolean attach(MemoryPlace place);

    /** Resolves {@code bytes} bytes, at most 1 GiB, at an attached place, for loads alone; null when it is not attached. */
    @Nullable
    Span inPlace(MemoryPlace place, long bytes);

    /** Forgets all places that were attached on this driver. */
    void detachAll();
}
