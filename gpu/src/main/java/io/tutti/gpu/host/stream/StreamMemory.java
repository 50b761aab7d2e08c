package io.tutti.gpu.host.stream;

import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryPlace;
import io.tutti.gpu.host.execution.MulticastSpan;
import io.tutti.gpu.host.execution.Span;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the kernels of one stream see. Used by the stream's thread alone. */
final class StreamMemory implements KernelMemory {

    /** How often a waiting kernel looks whether it should leave: a power of two, in rounds. */
    private static final int LOOK_EVERY = 64;

    private final StreamSystem system;
    private final DeviceHealth device;
    private final Map<Class<?>, Object> scratch = new HashMap<>();

    StreamMemory(StreamSystem system, DeviceHealth device) {
        this.system = system;
        this.device = device;
    }

    @Override
    public Span span(long devicePointer, long bytes) {
        return system.space().span(device.ordinal(), devicePointer, bytes);
    }

    @Override
    public void multicast(long devicePointer, long bytes, MulticastSpan into) {
        system.space().multicast(device.ordinal(), devicePointer, bytes, into);
    }

    @Override
    public void locate(long devicePointer, long bytes, MemoryPlace into) {
        system.places().locate(devicePointer, bytes, into);
    }

    @Override
    public boolean isOnThisHost(long devicePointer) {
        return system.places().isOnThisHost(devicePointer);
    }

    @Override
    public boolean attach(MemoryPlace place) {
        return system.places().attach(place);
    }

    @Override
    public @Nullable Span inPlace(MemoryPlace place, long bytes) {
        return system.places().inPlace(place, bytes);
    }

    @Override
    public void detachAll() {
        system.places().detachAll();
    }

    @Override
    public <T> T scratch(Class<T> type, Supplier<T> factory) {
        Object existing = scratch.get(type);
        if (existing == null) {
            existing = factory.get();
            scratch.put(type, existing);
        }
        return type.cast(existing);
    }

    @Override
    public void relax(int round) {
        if ((round & (LOOK_EVERY - 1)) == 0 && (system.stopping() || device.lost())) {
            throw ContextGone.INSTANCE;
        }
        Backoff.step(round, system.spins());
    }
}
