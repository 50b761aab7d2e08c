package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MemorySource;
import io.tutti.gpu.host.memory.PhysicalMemory;
import io.tutti.gpu.host.memory.PlainHeap;
import io.tutti.gpu.host.stream.DeviceHealth;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** One device as a process sees it: its budget, its plain memory, its primary context and its health. Thread-safe. */
final class HostDevice {

    private final HostProcess process;
    private final int ordinal;
    private final Topology.Device facts;
    private final DeviceHealth health;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicIntegerArray openToPeers;
    private final PlainHeap heap;
    private volatile int contextReferences;

    HostDevice(HostProcess process, int ordinal, int devices, Topology.Device facts) {
        this.process = process;
        this.ordinal = ordinal;
        this.facts = facts;
        this.health = new DeviceHealth(ordinal);
        this.openToPeers = new AtomicIntegerArray(devices);
        this.heap = new PlainHeap(
                process.space(),
                process.quiescence(),
                this::allocate,
                device -> device == ordinal || openToPeers.get(device) != 0);
    }

    int ordinal() {
        return ordinal;
    }

    Topology.Device facts() {
        return facts;
    }

    DeviceHealth health() {
        return health;
    }

    PlainHeap heap() {
        return heap;
    }

    long totalBytes() {
        return facts.identity().totalBytes();
    }

    long usedBytes() {
        return usedBytes.get();
    }

    /** Lets {@code peer} touch this device's plain memory, what there is and what will come. */
    void openTo(HostDevice peer) {
        openToPeers.set(peer.ordinal, 1);
    }

    /** Physical memory within this device's size; what it takes is given back with its last reference. */
    PhysicalMemory allocate(long bytes) throws MemorySource.OutOfHostMemory {
        try {
            return allocateNow(bytes);
        } catch (MemorySource.OutOfHostMemory e) {
            if (heap.trim()) {
                return allocateNow(bytes);
            }
            throw e;
        }
    }

    private PhysicalMemory allocateNow(long bytes) throws MemorySource.OutOfHostMemory {
        long used = usedBytes.addAndGet(bytes);
        boolean allocated = false;
        try {
            if (used > totalBytes()) {
                throw new MemorySource.OutOfHostMemory("device=" + ordinal + " bytes=" + bytes + " usedBytes="
                        + (used - bytes) + " totalBytes=" + totalBytes());
            }
            PhysicalMemory memory =
                    process.source().allocate(origin(), bytes, process.quiescence(), () -> usedBytes.addAndGet(-bytes));
            allocated = true;
            return memory;
        } finally {
            if (!allocated) {
                usedBytes.addAndGet(-bytes);
            }
        }
    }

    private MemoryOrigin origin() {
        long serial = ThreadLocalRandom.current().nextLong();
        return new MemoryOrigin(process.topology().name(), process.host(), ordinal, serial);
    }

    CuContext context() {
        return new CuContext(ordinal + 1L);
    }

    synchronized CuContext retainContext() {
        contextReferences++;
        return context();
    }

    /** False when the context is not retained. */
    synchronized boolean releaseContext() {
        if (contextReferences == 0) {
            return false;
        }
        contextReferences--;
        if (contextReferences == 0) {
            heap.trim();
        }
        return true;
    }

    int contextReferences() {
        return contextReferences;
    }

    /** Throws the sticky error, if there is one, as the answer of {@code call}. */
    void checkAlive(String call) {
        DeviceHealth.Failure failure = health.failure();
        if (failure != null) {
            throw new DriverException(call, failure.result(), "sticky=true " + failure.details());
        }
    }

    /** The answer to a failed allocation. */
    static DriverException outOfMemory(String call, MemorySource.OutOfHostMemory cause) {
        return new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, String.valueOf(cause.getMessage()));
    }
}
