package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.memory.Backing;
import io.tutti.gpu.host.memory.Mapping;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MulticastObject;
import io.tutti.gpu.host.memory.PhysicalMemory;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Memory that crosses processes: descriptors, fabric handles and legacy IPC, each by its own real rules. */
final class SharingCalls {

    private record OpenedKey(long serial, long offset, int device) {}

    private static final class Opened {
        final OpenedKey key;
        final Mapping mapping;
        int references = 1;

        Opened(OpenedKey key, Mapping mapping) {
            this.key = key;
            this.mapping = mapping;
        }
    }

    private static final int PAGE = 4096;

    private final HostProcess process;
    private final VirtualCalls virtual;
    private final ForeignMemory foreign;
    private final Map<OpenedKey, Opened> opened = new HashMap<>();

    SharingCalls(HostProcess process, VirtualCalls virtual) {
        this.process = process;
        this.virtual = virtual;
        this.foreign = new ForeignMemory(process);
    }

    // ---- virtual memory ---------------------------------------------------------------------------------------

    ShareableHandle export(String call, CuMemHandle handle, ShareableType type) {
        VirtualCalls.Physical physical = virtual.physical(call, handle);
        boolean one = type == ShareableType.POSIX_FD || type == ShareableType.FABRIC;
        if (!one || !physical.shareable().includes(type)) {
            throw HostProcess.invalidValue(call, "type=" + type + " created=" + physical.shareable());
        }
        Backing memory = physical.memory();
        if (type == ShareableType.FABRIC) {
            return new ShareableHandle.Fabric(encode(SharedHandle.Kind.FABRIC, memory, 0, memory.bytes()));
        }
        try {
            return new ShareableHandle.PosixFd(Descriptors.duplicate(memory.descriptor()));
        } catch (IOException e) {
            throw new DriverException(call, CuResult.CUDA_ERROR_UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    private byte[] encode(SharedHandle.Kind kind, Backing memory, long offset, long bytes) {
        foreign.publish(memory instanceof MulticastObject object ? object.table() : (PhysicalMemory) memory);
        return new SharedHandle(
                        kind,
                        memory.origin(),
                        process.id(),
                        ProcessHandle.current().pid(),
                        memory.descriptor(),
                        offset,
                        bytes)
                .encode();
    }

    CuMemHandle importHandle(String call, ShareableHandle handle) {
        if (handle instanceof ShareableHandle.PosixFd descriptor) {
            return importDescriptor(call, descriptor.fd());
        }
        return importFabric(call, ((ShareableHandle.Fabric) handle).bytes());
    }

    private CuMemHandle importDescriptor(String call, int fd) {
        if (!process.source().shareable()) {
            throw new DriverException(call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "sharedMemory=false");
        }
        try {
            Backing memory = adopt(foreign.attach(fd));
            MemoryOrigin origin = memory.origin();
            if (!process.isHere(origin)) {
                memory.release();
                throw new DriverException(
                        call,
                        CuResult.CUDA_ERROR_UNKNOWN,
                        "fd=" + fd + " exportedBy=" + origin.topology() + "/" + origin.host() + " host="
                                + process.host());
            }
            return virtual.add(memory, ShareableType.POSIX_FD);
        } catch (IOException e) {
            throw new DriverException(call, CuResult.CUDA_ERROR_UNKNOWN, String.valueOf(e.getMessage()));
        }
    }

    private CuMemHandle importFabric(String call, byte[] bytes) {
        if (bytes.length != SharedHandle.SIZE) {
            throw HostProcess.invalidValue(call, "bytes=" + bytes.length + " handleBytes=" + SharedHandle.SIZE);
        }
        SharedHandle handle = SharedHandle.decode(
                        SharedHandle.Kind.FABRIC, process.topology().name(), bytes)
                .orElseThrow(() -> new DriverException(
                        call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "fabric=not a handle bytes=" + bytes.length));
        if (!process.hostFacts().imexChannel()) {
            throw virtual.noImexChannel(call);
        }
        MemoryOrigin origin = handle.origin();
        if (!isInReach(origin)) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_NOT_PERMITTED,
                    "exporterHost=" + origin.host() + " exporterDevice=" + origin.device() + " sameClique=false");
        }
        try {
            return virtual.add(adopt(resolve(call, handle)), ShareableType.FABRIC);
        } catch (IOException e) {
            throw HostProcess.invalidHandle(call, String.valueOf(e.getMessage()));
        }
    }

    /** Whether some device of this process is in one clique with the exporter's. */
    private boolean isInReach(MemoryOrigin origin) {
        Topology topology = process.topology();
        if (origin.isMulticast()) {
            return origin.host() >= 0
                    && origin.host() < topology.hosts().size()
                    && topology.sharesSwitches(process.host(), origin.host())
                    && topology.hosts().get(origin.host()).imexChannel();
        }
        return topology.contains(origin.host(), origin.device())
                && process.devices().stream().anyMatch(device -> reaches(device, origin));
    }

    /** What came from outside: memory, or the table of a multicast object. */
    private Backing adopt(PhysicalMemory memory) throws IOException {
        return memory.origin().isMulticast() ? MulticastObject.attach(holder(), memory) : memory;
    }

    // ---- multicast objects ------------------------------------------------------------------------------------

    /** This process as the holder of a multicast object. */
    MulticastObject.Holder holder() {
        boolean spreads = process.hostFacts().multicast().stores() == Topology.Stores.EVERY_MEMBER;
        return new MulticastObject.Holder(process.host(), spreads, this::findMember);
    }

    /** By which every holder of a multicast object finds what is bound here. */
    byte[] memberHandle(PhysicalMemory memory) {
        return encode(SharedHandle.Kind.MEMBER, memory, 0, memory.bytes());
    }

    private PhysicalMemory findMember(byte[] bytes) throws IOException {
        return foreign.find(
                SharedHandle.decode(SharedHandle.Kind.MEMBER, process.topology().name(), bytes)
                        .orElseThrow(() -> new IOException("not the handle of a member's memory")));
    }

    private boolean reaches(HostDevice device, MemoryOrigin origin) {
        return process.topology().reaches(process.host(), device.ordinal(), origin.host(), origin.device());
    }

    private PhysicalMemory resolve(String call, SharedHandle handle) {
        try {
            return foreign.find(handle);
        } catch (IOException e) {
            throw HostProcess.invalidHandle(call, "stale=true " + e.getMessage());
        }
    }

    // ---- legacy IPC -------------------------------------------------------------------------------------------

    byte[] ipcHandle(String call, long address) {
        HostDevice current = process.current(call);
        if (!current.facts().capabilities().legacyIpc()) {
            throw new DriverException(call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "legacyIpc=false");
        }
        Mapping around = process.space().find(address);
        for (HostDevice device : process.devices()) {
            Mapping allocation = around == null ? null : device.heap().allocationAt(around.base());
            if (allocation != null) {
                return encode(
                        SharedHandle.Kind.LEGACY_IPC,
                        allocation.memory(),
                        allocation.memoryOffset(),
                        allocation.bytes());
            }
        }
        throw HostProcess.invalidValue(call, "pointer=0x" + Long.toHexString(address) + " plainAllocation=false");
    }

    synchronized long ipcOpen(String call, byte[] bytes) {
        HostDevice device = process.current(call);
        SharedHandle handle = SharedHandle.decode(
                        SharedHandle.Kind.LEGACY_IPC, process.topology().name(), bytes)
                .orElseThrow(() -> HostProcess.invalidValue(call, "handle=junk bytes=" + bytes.length));
        MemoryOrigin origin = handle.origin();
        if (handle.process() == process.id()) {
            throw new DriverException(call, CuResult.CUDA_ERROR_INVALID_CONTEXT, "exporter=this process");
        }
        if (origin.host() != process.host()) {
            throw HostProcess.invalidHandle(call, "exporterHost=" + origin.host() + " host=" + process.host());
        }
        if (!process.topology().contains(origin.host(), origin.device()) || !reaches(device, origin)) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                    "device=" + device.ordinal() + " exporterDevice=" + origin.device());
        }
        OpenedKey key = new OpenedKey(origin.serial(), handle.offset(), device.ordinal());
        Opened again = opened.get(key);
        if (again != null) {
            again.references++;
            return again.mapping.base();
        }
        return open(call, handle, key);
    }

    private long open(String call, SharedHandle handle, OpenedKey key) {
        PhysicalMemory memory = resolve(call, handle);
        if (handle.offset() < 0 || handle.bytes() <= 0 || handle.bytes() > memory.bytes() - handle.offset()) {
            memory.release();
            throw HostProcess.invalidHandle(
                    call, "offset=" + handle.offset() + " bytes=" + handle.bytes() + " memory=" + memory.bytes());
        }
        long base = process.space().reserve(handle.bytes(), PAGE);
        if (base == 0) {
            memory.release();
            throw new DriverException(call, CuResult.CUDA_ERROR_OUT_OF_MEMORY, "addresses=exhausted");
        }
        Mapping mapping =
                new Mapping(base, handle.bytes(), memory, handle.offset(), accessor -> accessor == key.device);
        process.space().map(mapping);
        opened.put(key, new Opened(key, mapping));
        return base;
    }

    synchronized void ipcClose(String call, long address) {
        Opened found = openedAt(address);
        if (found == null) {
            throw HostProcess.invalidValue(call, "pointer=0x" + Long.toHexString(address) + " opened=false");
        }
        if (--found.references == 0) {
            opened.remove(found.key);
            process.space().unmap(address);
            process.space().unreserve(address, found.mapping.bytes());
            found.mapping.memory().release();
        }
        process.checkCurrentAlive(call);
    }

    private @Nullable Opened openedAt(long address) {
        return opened.values().stream()
                .filter(one -> one.mapping.base() == address)
                .findFirst()
                .orElse(null);
    }

    /** Only when no stream runs any more. */
    synchronized void freeAll() {
        opened.values().forEach(one -> {
            process.space().unmap(one.mapping.base());
            one.mapping.memory().release();
        });
        opened.clear();
    }

    synchronized void count(Map<String, Long> live) {
        live.put(
                "ipc", opened.values().stream().mapToLong(one -> one.references).sum());
    }
}
