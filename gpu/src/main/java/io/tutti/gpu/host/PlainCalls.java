package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.MemoryInfo;
import io.tutti.gpu.host.execution.IllegalAddressException;
import io.tutti.gpu.host.memory.Access;
import io.tutti.gpu.host.memory.Copies;
import io.tutti.gpu.host.memory.Mapping;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MemorySource;
import io.tutti.gpu.host.memory.PhysicalMemory;
import io.tutti.gpu.host.memory.Quiescence;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Contexts, plain device memory, host-mapped memory and the copies that run on the caller's thread. */
final class PlainCalls {

    private static final int HOST_ALIGNMENT = 4096;

    private final HostProcess process;
    private final Copies copies;
    private final Map<Long, Mapping> hostMemory = new ConcurrentHashMap<>();

    PlainCalls(HostProcess process) {
        this.process = process;
        this.copies = new Copies(process.space());
    }

    // ---- contexts ---------------------------------------------------------------------------------------------

    CuContext retain(String call, int device) {
        return process.device(call, device).retainContext();
    }

    void release(String call, int device) {
        if (!process.hasDevice(device) || !process.devices().get(device).releaseContext()) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_INVALID_CONTEXT, "device=" + device + " retained=false");
        }
    }

    CuContext current() {
        HostDevice device = process.currentOrNull();
        return device == null ? new CuContext(0) : device.context();
    }

    void setCurrent(String call, CuContext context) {
        process.setCurrent(context.value() == 0 ? null : process.device(call, context));
    }

    void enablePeerAccess(String call, CuContext peerContext) {
        HostDevice device = process.current(call);
        HostDevice peer = process.device(call, peerContext);
        if (peer == device) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "device=" + device.ordinal() + " peer=itself");
        }
        if (!device.facts().peers().contains(peer.ordinal())) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                    "device=" + device.ordinal() + " peer=" + peer.ordinal());
        }
        peer.openTo(device);
    }

    // ---- device memory ----------------------------------------------------------------------------------------

    MemoryInfo info(String call) {
        HostDevice device = process.current(call);
        return new MemoryInfo(Math.max(0, device.totalBytes() - device.usedBytes()), device.totalBytes());
    }

    long allocate(String call, long bytes) {
        HostDevice device = process.current(call);
        if (bytes == 0) {
            throw HostProcess.invalidValue(call, "bytes=0");
        }
        if (bytes < 0) {
            // Hardware takes sizes as unsigned.
            throw new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "bytes=" + Long.toUnsignedString(bytes));
        }
        try {
            return device.heap().allocate(bytes);
        } catch (MemorySource.OutOfHostMemory e) {
            throw HostDevice.outOfMemory(call, e);
        }
    }

    /** Frees memory of any device of the process, as unified addressing allows. */
    void free(String call, long address) {
        if (address != 0 && process.devices().stream().noneMatch(d -> d.heap().free(address))) {
            throw HostProcess.invalidValue(call, "pointer=0x" + Long.toHexString(address) + " allocation=none");
        }
        process.checkCurrentAlive(call);
    }

    // ---- host memory ------------------------------------------------------------------------------------------

    /** Direct buffers: the memory is this process's alone, and a late reader of a freed word harms nobody. */
    HostMapped allocateHost(String call, long bytes) {
        process.current(call);
        if (bytes <= 0) {
            throw HostProcess.invalidValue(call, "bytes=" + bytes);
        }
        MemoryOrigin origin = new MemoryOrigin(process.topology().name(), process.host(), -1, 0);
        PhysicalMemory memory;
        try {
            memory = MemorySource.buffers().allocate(origin, bytes, process.quiescence(), () -> {});
        } catch (MemorySource.OutOfHostMemory e) {
            throw HostDevice.outOfMemory(call, e);
        }
        long address = process.space().reserve(bytes, HOST_ALIGNMENT);
        if (address == 0) {
            throw new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "addresses=exhausted bytes=" + bytes);
        }
        Mapping mapping = new Mapping(address, bytes, memory, 0, Access.EVERY_DEVICE);
        process.space().map(mapping);
        hostMemory.put(address, mapping);
        ByteBuffer window = memory.window(0).bytes();
        return new HostMapped(window.duplicate().order(window.order()), address);
    }

    void freeHost(String call, HostMapped memory) {
        Mapping mapping = hostMemory.remove(memory.devicePointer());
        if (mapping == null) {
            throw HostProcess.invalidValue(
                    call, "pointer=0x" + Long.toHexString(memory.devicePointer()) + " allocation=none");
        }
        process.space().unmap(mapping.base());
        process.space().unreserve(mapping.base(), mapping.bytes());
        mapping.memory().release();
        process.checkCurrentAlive(call);
    }

    // ---- copies -----------------------------------------------------------------------------------------------

    void toDevice(String call, long destination, ByteBuffer source) {
        touch(
                call,
                "destination",
                destination,
                source.remaining(),
                device -> copies.toDevice(device, destination, source));
    }

    void toHost(String call, ByteBuffer destination, long source) {
        touch(call, "source", source, destination.remaining(), device -> copies.toHost(device, destination, source));
    }

    @FunctionalInterface
    private interface Touch {
        void by(int device);
    }

    /** Addresses are looked at before anything is copied, so that a wrong one costs nothing. */
    private void touch(String call, String role, long address, long bytes, Touch touch) {
        HostDevice device = process.current(call);
        process.checkRange(call, device.ordinal(), role, address, bytes);
        Quiescence.Reader reader = process.quiescence().borrow();
        try {
            touch.by(device.ordinal());
        } catch (IllegalAddressException e) {
            device.health()
                    .fail(
                            CuResult.CUDA_ERROR_ILLEGAL_ADDRESS,
                            "call=" + call + " " + role + "=0x" + Long.toHexString(address) + " cause="
                                    + e.getMessage());
            device.checkAlive(call);
        } finally {
            process.quiescence().giveBack(reader);
        }
    }

    /** Only when no stream runs any more. */
    void freeAll() {
        process.devices().forEach(device -> device.heap().freeAll());
        hostMemory.clear();
    }

    void count(Map<String, Long> live) {
        live.put(
                "context",
                process.devices().stream()
                        .mapToLong(HostDevice::contextReferences)
                        .sum());
        live.put(
                "memory",
                process.devices().stream().mapToLong(d -> d.heap().count()).sum());
        live.put("host-memory", (long) hostMemory.size());
    }
}
