package io.tutti.gpu.host;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.memory.Backing;
import io.tutti.gpu.host.memory.Mapping;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MemorySource;
import io.tutti.gpu.host.memory.MulticastObject;
import io.tutti.gpu.host.memory.MulticastTable;
import io.tutti.gpu.host.memory.PhysicalMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Virtual memory: physical memory by handle, addresses, mappings and access. Physical memory lives while a handle or a
 * mapping of it does. None of these calls needs a current context.
 */
final class VirtualCalls {

    /**
     * What a handle stands for.
     *
     * @param memory the handle holds one reference
     * @param shareable what it may be exported as
     */
    record Physical(Backing memory, ShareableType shareable) {}

    private record Mapped(Mapping mapping, AtomicIntegerArray access) {}

    private final HostProcess process;
    private final HandleTable<Physical> handles = new HandleTable<>();
    private final TreeMap<Long, Mapped> mappings = new TreeMap<>();
    private final TreeMap<Long, Long> reservations = new TreeMap<>();

    VirtualCalls(HostProcess process) {
        this.process = process;
    }

    private long granularity() {
        return process.hostFacts().allocationGranularity();
    }

    private long granularity(Backing memory) {
        return memory instanceof MulticastObject
                ? process.hostFacts().multicast().granularity()
                : granularity();
    }

    long granularity(String call, AllocationProperties properties) {
        // Hardware does not look at the device where there is none of that ordinal.
        if (process.hasDevice(properties.device())) {
            supported(call, properties);
        }
        return granularity();
    }

    CuMemHandle create(String call, long bytes, AllocationProperties properties) {
        HostDevice device = supported(call, properties);
        checkSize(call, bytes);
        if (bytes > device.totalBytes()) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "bytes=" + bytes + " deviceBytes=" + device.totalBytes());
        }
        permitted(call, properties, device.facts());
        try {
            return add(device.allocate(bytes), properties.shareable());
        } catch (MemorySource.OutOfHostMemory e) {
            throw HostDevice.outOfMemory(call, e);
        }
    }

    private HostDevice supported(String call, AllocationProperties properties) {
        HostDevice device = process.device(call, properties.device());
        if (!device.facts().capabilities().virtualMemory()) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "device=" + device.ordinal() + " virtualMemory=false");
        }
        return device;
    }

    private void permitted(String call, AllocationProperties properties, Topology.Device facts) {
        Topology.Capabilities can = facts.capabilities();
        ShareableType type = properties.shareable();
        boolean descriptors = can.posixFd() && process.source().shareable();
        if ((type.includes(ShareableType.POSIX_FD) && !descriptors)
                || (type.includes(ShareableType.FABRIC) && !can.fabric())) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "device=" + properties.device() + " shareable=" + type);
        }
        if (type.includes(ShareableType.FABRIC) && !process.hostFacts().imexChannel()) {
            throw noImexChannel(call);
        }
    }

    DriverException noImexChannel(String call) {
        return new DriverException(
                call,
                CuResult.CUDA_ERROR_NOT_PERMITTED,
                "host=" + process.hostFacts().name() + " imexChannel=none");
    }

    /** Hardware takes sizes as unsigned, so a negative one is more than there is. */
    private void checkSize(String call, long bytes) {
        if (bytes < 0 && bytes % granularity() == 0) {
            throw new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "bytes=" + Long.toUnsignedString(bytes));
        }
        if (bytes <= 0 || bytes % granularity() != 0) {
            throw HostProcess.invalidValue(call, "bytes=" + bytes + " granularity=" + granularity());
        }
    }

    CuMemHandle add(Backing memory, ShareableType shareable) {
        return new CuMemHandle(handles.add(new Physical(memory, shareable)));
    }

    Physical physical(String call, CuMemHandle handle) {
        return known(call, handle, handles.get(handle.value()));
    }

    void release(String call, CuMemHandle handle) {
        known(call, handle, handles.remove(handle.value())).memory.release();
    }

    private static Physical known(String call, CuMemHandle handle, @Nullable Physical physical) {
        if (physical == null) {
            throw HostProcess.invalidValue(call, "handle=0x" + Long.toHexString(handle.value()) + " live=false");
        }
        return physical;
    }

    synchronized long reserve(String call, long bytes, long alignment) {
        checkSize(call, bytes);
        if (alignment < 0 || Long.bitCount(alignment) > 1) {
            throw HostProcess.invalidValue(call, "alignment=" + alignment);
        }
        long base = process.space().reserve(bytes, Math.max(alignment, granularity()));
        if (base == 0) {
            throw new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "addresses=exhausted bytes=" + bytes);
        }
        reservations.put(base, bytes);
        return base;
    }

    synchronized void unreserve(String call, long address, long bytes) {
        Long reserved = reservations.get(address);
        if (reserved == null || reserved != bytes || !process.space().unreserve(address, bytes)) {
            throw HostProcess.invalidValue(
                    call, range(address, bytes) + " reserved=" + reserved + " mapped=" + anyMapped(address, bytes));
        }
        reservations.remove(address);
    }

    private boolean anyMapped(long address, long bytes) {
        Long next = mappings.ceilingKey(address);
        return next != null && next - address < bytes;
    }

    synchronized void map(String call, long address, long bytes, CuMemHandle handle) {
        Backing memory = physical(call, handle).memory;
        if (memory instanceof PhysicalMemory && bytes > 0 && bytes != memory.bytes()) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_NOT_SUPPORTED,
                    range(address, bytes) + " handleBytes=" + memory.bytes() + " wholeHandle=false");
        }
        Map.Entry<Long, Long> around = reservations.floorEntry(address);
        AtomicIntegerArray access = new AtomicIntegerArray(process.devices().size());
        Mapping mapping = new Mapping(address, bytes, memory, 0, device -> access.get(device) != 0);
        if (bytes != memory.bytes()
                || address % granularity(memory) != 0
                || around == null
                || mapping.end() > around.getKey() + around.getValue()
                || !process.space().map(mapping)) {
            throw HostProcess.invalidValue(
                    call,
                    range(address, bytes) + " handleBytes=" + memory.bytes() + " granularity=" + granularity(memory)
                            + " reserved=" + (around != null) + " mapped=" + anyMapped(address, bytes));
        }
        memory.retain();
        mappings.put(address, new Mapped(mapping, access));
    }

    /**
     * Unmaps the whole mappings in a range of a reservation, were there none. Memory that a running kernel may touch goes when
     * the kernel has ended.
     */
    synchronized void unmap(String call, long address, long bytes) {
        for (Mapped mapped : within(call, address, bytes)) {
            mappings.remove(mapped.mapping.base());
            process.space().unmap(mapped.mapping.base());
            mapped.mapping.memory().release();
        }
    }

    synchronized void setAccess(String call, long address, long bytes, int ordinal) {
        if (!process.hasDevice(ordinal)) {
            throw HostProcess.invalidValue(
                    call, "device=" + ordinal + " devices=" + process.devices().size());
        }
        HostDevice device = process.device(call, ordinal);
        List<Mapped> range = covered(call, address, bytes);
        range.forEach(mapped -> checkReach(call, device, mapped.mapping.memory()));
        range.forEach(mapped -> mapped.access.set(ordinal, 1));
    }

    private void checkReach(String call, HostDevice device, Backing memory) {
        if (memory instanceof MulticastObject object) {
            if (!object.members().contains(new MulticastTable.Member(process.host(), device.ordinal()))) {
                throw new DriverException(
                        call, CuResult.CUDA_ERROR_INVALID_DEVICE, "device=" + device.ordinal() + " added=false");
            }
            return;
        }
        MemoryOrigin origin = memory.origin();
        if (!process.topology().reaches(process.host(), device.ordinal(), origin.host(), origin.device())) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                    "device=" + device.ordinal() + " memoryDevice=" + origin.device() + " memoryHost=" + origin.host());
        }
    }

    /** The mappings in this range, none of which it cuts. */
    private List<Mapped> within(String call, long address, long bytes) {
        Map.Entry<Long, Long> around = reservations.floorEntry(address);
        List<Mapped> range = mappings.values().stream()
                .filter(mapped -> mapped.mapping.base() < address + bytes && mapped.mapping.end() > address)
                .toList();
        boolean cut = range.stream()
                .anyMatch(mapped -> mapped.mapping.base() < address || mapped.mapping.end() > address + bytes);
        if (bytes <= 0 || around == null || address + bytes > around.getKey() + around.getValue() || cut) {
            throw HostProcess.invalidValue(
                    call, range(address, bytes) + " reserved=" + (around != null) + " wholeMappings=" + !cut);
        }
        return range;
    }

    /** The mappings that make up exactly this range, without a hole. */
    private List<Mapped> covered(String call, long address, long bytes) {
        List<Mapped> range = new ArrayList<>();
        long at = address;
        while (at < address + bytes) {
            Mapped mapped = mappings.get(at);
            if (mapped == null) {
                break;
            }
            range.add(mapped);
            at = mapped.mapping.end();
        }
        if (bytes <= 0 || at != address + bytes) {
            throw HostProcess.invalidValue(call, range(address, bytes) + " wholeMappings=false");
        }
        return range;
    }

    private static String range(long address, long bytes) {
        return "address=0x" + Long.toHexString(address) + " bytes=" + bytes;
    }

    /** Only when no stream runs any more. */
    synchronized void freeAll() {
        mappings.values().forEach(mapped -> {
            process.space().unmap(mapped.mapping.base());
            mapped.mapping.memory().release();
        });
        mappings.clear();
        reservations.clear();
        handles.drain().forEach(physical -> physical.memory.release());
    }

    private static long bindings(Physical physical) {
        return physical.memory instanceof MulticastObject object ? object.boundHere() : 0;
    }

    synchronized void count(Map<String, Long> live) {
        live.put("handle", handles.size());
        live.put("binding", handles.sum(VirtualCalls::bindings));
        live.put("reservation", (long) reservations.size());
        live.put("mapping", (long) mappings.size());
    }
}
