package io.tutti.gpu.host;

import io.tutti.gpu.host.memory.Mapping;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.stream.DeviceHealth;
import java.util.OptionalLong;

/** How long copies between devices take at least, where the topology gives their links a speed. */
final class LinkSpeed {

    private static final double NANOS = 1e9;

    private final HostProcess process;

    LinkSpeed(HostProcess process) {
        this.process = process;
    }

    /** 0 where nothing slows the copy. */
    long leastNanos(DeviceHealth device, long destination, long source, long bytes) {
        long slowest = Math.min(slowest(device.ordinal(), destination), slowest(device.ordinal(), source));
        return slowest == Long.MAX_VALUE ? 0 : (long) (NANOS * bytes / slowest);
    }

    /** The slower of both ends' links, where memory is another device's. */
    private long slowest(int device, long address) {
        Mapping mapping = process.space().find(address);
        if (mapping == null) {
            return Long.MAX_VALUE;
        }
        MemoryOrigin owner = mapping.memory().origin();
        if (owner.host() == process.host() && owner.device() == device) {
            return Long.MAX_VALUE;
        }
        return Math.min(real(process.host(), device), real(owner.host(), owner.device()));
    }

    private long real(int host, int device) {
        OptionalLong real = process.topology().contains(host, device)
                ? process.topology().device(host, device).link().real()
                : OptionalLong.empty();
        return real.orElse(Long.MAX_VALUE);
    }
}
