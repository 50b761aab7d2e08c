package io.tutti.gpu.host.execution;

/** What a kernel of the host driver can see of its device's address space, and its own thread-confined scratch. */
public interface KernelMemory extends Places {

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
