package io.tutti.gpu.host.execution;

import org.jspecify.annotations.Nullable;

/** What a kernel of the host driver can see of its device's address space, and its own thread-confined scratch. */
public interface KernelMemory {

    /**
     * Resolves {@code bytes} bytes at {@code devicePointer}, at most 1 GiB; longer tensors are walked in rows.
     *
     * @throws IllegalAddressException when any byte is unmapped or not accessible by this device; the driver turns it
     *     into a sticky {@code CUDA_ERROR_ILLEGAL_ADDRESS}
     */
    Span span(long devicePointer, long bytes);

    /**
     * Resolves {@code bytes} bytes at an address of a multicast object, at most 1 GiB, for stores alone.
     *
     * @param into takes the answer
     * @throws IllegalAddressException as {@link #span} does, and where some member of the object has no memory bound
     */
    void multicast(long devicePointer, long bytes, MulticastSpan into);

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

    /**
     * Scratch that lives as long as the stream's thread and is not shared with another: an instance per type.
     *
     * @param type the scratch class, created by {@code factory} when this stream has none yet
     */
    <T> T scratch(Class<T> type, java.util.function.Supplier<T> factory);

    /**
     * One step of waiting for another rank: spins first, then yields, and parks briefly only when long idle, so that
     * many ranks make progress on few cores.
     *
     * @param round how many rounds this wait has already taken, from 0
     */
    void relax(int round);
}
