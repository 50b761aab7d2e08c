package io.tutti.gpu.host.stream;

import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryPlace;
import io.tutti.gpu.host.execution.Span;
import org.jspecify.annotations.Nullable;

/** The part of {@link KernelMemory} that is about other ranks' memory. Thread-safe. */
public interface Places {

    void locate(long devicePointer, long bytes, MemoryPlace into);

    boolean isOnThisHost(long devicePointer);

    boolean attach(MemoryPlace place);

    @Nullable
    Span inPlace(MemoryPlace place, long bytes);

    void detachAll();
}
