package io.tutti.gpu.host.stream;

import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MulticastSpan;
import io.tutti.gpu.host.execution.Span;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

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
