package io.tutti.gpu.host;

import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.host.memory.MemorySource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link HostDriver}; a topology, kernels by image, and what to fail on purpose. Not thread-safe. */
public final class HostDriverBuilder {

    /** Where device memory comes from. */
    public enum Memory {
        /** Shared memory where the platform has it, else buffers. */
        AUTO,
        /** Sealed shared memory, whose descriptors reach other processes. */
        SHARED,
        /** Direct buffers of this JVM, on any platform; POSIX descriptors are then not supported. */
        BUFFERS
    }

    private static final int DEFAULT_DEVICES = 4;
    private static final Duration DEFAULT_MULTICAST_PATIENCE = Duration.ofSeconds(5);

    private @Nullable Topology topology;
    private int host;
    private Memory memory = Memory.AUTO;
    private FaultPlan faults = FaultPlan.none();
    private Duration multicastPatience = DEFAULT_MULTICAST_PATIENCE;
    private boolean bindThreads;
    private final Map<String, Map<String, HostKernel>> images = new HashMap<>();

    HostDriverBuilder() {}

    /** Defaults to {@code local} with four devices. */
    public HostDriverBuilder topology(Topology value) {
        topology = value;
        return this;
    }

    /** Which host of the topology the driver is on; the driver sees this host's devices. Defaults to 0. */
    public HostDriverBuilder host(int ordinal) {
        host = ordinal;
        return this;
    }

    /** The kernels of an image, by name, as {@code moduleLoad} and {@code moduleGetFunction} find them. */
    public HostDriverBuilder kernels(String image, Map<String, ? extends HostKernel> kernels) {
        images.put(image, Map.copyOf(kernels));
        return this;
    }

    public HostDriverBuilder faults(FaultPlan plan) {
        faults = plan;
        return this;
    }

    public HostDriverBuilder memory(Memory value) {
        memory = value;
        return this;
    }

    /**
     * How long {@code multicastBindMem}, and {@code memMap} of a multicast object, wait for its team before they answer
     * {@code CUDA_ERROR_TIMEOUT}; hardware waits without a limit. Defaults to 5 s.
     */
    public HostDriverBuilder multicastPatience(Duration value) {
        multicastPatience = value;
        return this;
    }

    /**
     * Whether the threads of each device's streams stay on a processor of their own, where there are as many processors as
     * devices. That is faster, and unfair to whatever else the machine runs. Defaults to false.
     */
    public HostDriverBuilder bindThreads(boolean value) {
        bindThreads = value;
        return this;
    }

    /** @throws IllegalArgumentException when the topology has no such host */
    public HostDriver build() {
        Topology machine = topology == null ? Topology.local(DEFAULT_DEVICES) : topology;
        if (host < 0 || host >= machine.hosts().size()) {
            throw new IllegalArgumentException("the topology has no such host: topology=" + machine.name() + " host="
                    + host + " hosts=" + machine.hosts().size());
        }
        MemorySource source = switch (memory) {
            case AUTO -> MemorySource.best();
            case SHARED -> MemorySource.shared();
            case BUFFERS -> MemorySource.buffers();
        };
        HostProcess process = new HostProcess(machine, host, source, bindThreads);
        return new HostDriver(new HostRuntime(process, Map.copyOf(images), multicastPatience), faults);
    }
}
