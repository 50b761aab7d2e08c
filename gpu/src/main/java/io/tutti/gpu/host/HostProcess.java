package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.host.memory.AddressSpace;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MemorySource;
import io.tutti.gpu.host.memory.Quiescence;
import io.tutti.gpu.host.stream.StreamSystem;
import io.tutti.gpu.host.stream.ThreadPlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One emulated process on one emulated host: its devices, its address space, and which context each thread has current.
 * Two drivers in one JVM are two processes to each other. Thread-safe.
 */
final class HostProcess {

    private final long id = ThreadLocalRandom.current().nextLong();
    private final Topology topology;
    private final int host;
    private final MemorySource source;
    private final Quiescence quiescence = new Quiescence();
    private final AddressSpace space = new AddressSpace();
    private final Attachments attachments = new Attachments(this);
    private final StreamSystem streams;
    private final List<HostDevice> devices;
    private final ThreadLocal<@Nullable HostDevice> current = new ThreadLocal<>();
    private volatile boolean closed;

    HostProcess(Topology topology, int host, MemorySource source, boolean bindThreads) {
        this.topology = topology;
        this.host = host;
        this.source = source;
        this.streams = new StreamSystem(
                space, quiescence, attachments, bindThreads ? ownProcessors(topology, host) : ThreadPlaces.anywhere());
        List<Topology.Device> facts = topology.hosts().get(host).devices();
        List<HostDevice> all = new ArrayList<>();
        for (int ordinal = 0; ordinal < facts.size(); ordinal++) {
            all.add(new HostDevice(this, ordinal, facts.size(), facts.get(ordinal)));
        }
        this.devices = List.copyOf(all);
    }

    private static ThreadPlaces ownProcessors(Topology topology, int host) {
        List<Integer> devices =
                topology.hosts().stream().map(each -> each.devices().size()).toList();
        return ThreadPlaces.of(
                devices.subList(0, host).stream().mapToInt(Integer::intValue).sum(),
                devices.stream().mapToInt(Integer::intValue).sum());
    }

    /** Tells this process from others, on this machine and elsewhere. */
    long id() {
        return id;
    }

    Topology topology() {
        return topology;
    }

    int host() {
        return host;
    }

    Topology.Host hostFacts() {
        return topology.hosts().get(host);
    }

    MemorySource source() {
        return source;
    }

    Quiescence quiescence() {
        return quiescence;
    }

    AddressSpace space() {
        return space;
    }

    StreamSystem streams() {
        return streams;
    }

    Attachments attachments() {
        return attachments;
    }

    List<HostDevice> devices() {
        return devices;
    }

    /** Whether memory belongs to this emulated host. */
    boolean isHere(MemoryOrigin origin) {
        return origin.host() == host && origin.topology().equals(topology.name());
    }

    /** Refuses a range of which the device may not touch every byte now. */
    void checkRange(String call, int device, String role, long address, long bytes) {
        if (!space.covers(device, address, bytes)) {
            throw invalidValue(
                    call, role + "=0x" + Long.toHexString(address) + " bytes=" + bytes + " accessible=false");
        }
    }

    boolean hasDevice(int ordinal) {
        return ordinal >= 0 && ordinal < devices.size();
    }

    HostDevice device(String call, int ordinal) {
        if (!hasDevice(ordinal)) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_INVALID_DEVICE, "device=" + ordinal + " devices=" + devices.size());
        }
        return devices.get(ordinal);
    }

    /** The device of a context that is retained. */
    HostDevice device(String call, CuContext context) {
        long ordinal = context.value() - 1;
        if (ordinal < 0 || ordinal >= devices.size()) {
            throw invalidContext(call, context);
        }
        HostDevice device = devices.get((int) ordinal);
        if (device.contextReferences() == 0) {
            throw invalidContext(call, context);
        }
        return device;
    }

    private static DriverException invalidContext(String call, CuContext context) {
        return new DriverException(
                call, CuResult.CUDA_ERROR_INVALID_CONTEXT, "context=" + context.value() + " retained=false");
    }

    void setCurrent(@Nullable HostDevice device) {
        if (device == null) {
            current.remove();
        } else {
            current.set(device);
        }
    }

    /** The calling thread's device, alive or not; null without a current context. */
    @Nullable
    HostDevice currentOrNull() {
        return current.get();
    }

    /** The calling thread's device, whose context must be there and alive. */
    HostDevice current(String call) {
        HostDevice device = currentEvenIfLost(call);
        device.checkAlive(call);
        return device;
    }

    /** The same for calls that give something back, which work on a lost context and report it afterwards. */
    HostDevice currentEvenIfLost(String call) {
        HostDevice device = current.get();
        if (device == null || device.contextReferences() == 0) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_INVALID_CONTEXT,
                    "thread=" + Thread.currentThread().getName() + " currentContext=none");
        }
        return device;
    }

    /** For calls that need no context: the sticky error of the current one, if there is one. */
    void checkCurrentAlive(String call) {
        HostDevice device = current.get();
        if (device != null) {
            device.checkAlive(call);
        }
    }

    void checkOpen(String call) {
        if (closed) {
            throw new DriverException(call, CuResult.CUDA_ERROR_DEINITIALIZED, "driver=closed");
        }
    }

    /** False when it was closed before. */
    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    static DriverException invalidValue(String call, String details) {
        return new DriverException(call, CuResult.CUDA_ERROR_INVALID_VALUE, details);
    }

    static DriverException invalidHandle(String call, String details) {
        return new DriverException(call, CuResult.CUDA_ERROR_INVALID_HANDLE, details);
    }
}
