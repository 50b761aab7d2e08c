package io.tutti.gpu.memory;

/** Memory that peers can import until this is closed; idempotent. */
public interface ExportedMemory extends AutoCloseable {

    MemoryOffer offer();

    @Override
    void close();
}
