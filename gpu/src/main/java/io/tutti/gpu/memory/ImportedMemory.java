package io.tutti.gpu.memory;

/** A peer's memory as this rank's device sees it; closing it unmaps, once. */
public interface ImportedMemory extends AutoCloseable {

    /** Where it is mapped. */
    long address();

    @Override
    void close();
}
