package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.MulticastProperties;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MemorySource;
import io.tutti.gpu.host.memory.MulticastObject;
import io.tutti.gpu.host.memory.MulticastTable;
import io.tutti.gpu.host.memory.MulticastTable.Member;
import io.tutti.gpu.host.memory.PhysicalMemory;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Multicast objects by their real rules: what they take, that the whole team joins before memory is bound or the object is
 * mapped, and that there are few of them. None of these calls needs a current context.
 */
final class MulticastCalls {

    private static final long LOOK_NANOS = 200_000;

    private final HostProcess process;
    private final VirtualCalls virtual;
    private final SharingCalls sharing;
    private final MulticastSlots slots;
    private final Duration patience;

    /** @param patience how long binding and mapping wait for the team, which hardware does without a limit */
    MulticastCalls(HostProcess process, VirtualCalls virtual, SharingCalls sharing, Duration patience) {
        this.process = process;
        this.virtual = virtual;
        this.sharing = sharing;
        this.slots = new MulticastSlots(process);
        this.patience = patience;
    }

    private Topology.Multicast facts() {
        return process.hostFacts().multicast();
    }

    CuMemHandle create(String call, MulticastProperties properties) {
        process.checkCurrentAlive(call);
        supported(call);
        int most = Math.min(devicesInReach(), MulticastTable.MOST_DEVICES);
        if (properties.devices() < 1 || properties.devices() > most) {
            throw HostProcess.invalidValue(call, "devices=" + properties.devices() + " allowed=1.." + most);
        }
        if (properties.bytes() <= 0 || properties.bytes() % facts().granularity() != 0) {
            throw HostProcess.invalidValue(
                    call, "bytes=" + properties.bytes() + " granularity=" + facts().granularity());
        }
        permitted(call, properties.shareable());
        long serial = ThreadLocalRandom.current().nextLong();
        MemoryOrigin origin =
                new MemoryOrigin(process.topology().name(), process.host(), MemoryOrigin.MULTICAST, serial);
        try {
            PhysicalMemory table =
                    process.source().allocate(origin, MulticastTable.BYTES, process.quiescence(), () -> {});
            return virtual.add(
                    MulticastObject.create(sharing.holder(), table, properties.devices(), properties.bytes()),
                    properties.shareable());
        } catch (MemorySource.OutOfHostMemory e) {
            throw HostDevice.outOfMemory(call, e);
        }
    }

    private void supported(String call) {
        if (facts().result() != CuResult.CUDA_SUCCESS) {
            throw new DriverException(
                    call, facts().result(), "topology=" + process.topology().name());
        }
        if (process.devices().stream()
                .noneMatch(device -> device.facts().capabilities().multicast())) {
            throw new DriverException(call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "multicast=false on every device");
        }
    }

    private int devicesInReach() {
        int devices = 0;
        for (int host = 0; host < process.topology().hosts().size(); host++) {
            if (process.topology().sharesSwitches(process.host(), host)) {
                devices += process.topology().hosts().get(host).devices().size();
            }
        }
        return devices;
    }

    private void permitted(String call, ShareableType type) {
        boolean descriptors = process.source().shareable()
                && process.devices().stream()
                        .anyMatch(device -> device.facts().capabilities().posixFd());
        boolean fabric = process.devices().stream()
                .anyMatch(device -> device.facts().capabilities().fabric());
        if ((type.includes(ShareableType.POSIX_FD) && !descriptors)
                || (type.includes(ShareableType.FABRIC) && !fabric)) {
            throw new DriverException(call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "shareable=" + type);
        }
        if (type.includes(ShareableType.FABRIC) && !process.hostFacts().imexChannel()) {
            throw virtual.noImexChannel(call);
        }
    }

    void addDevice(String call, CuMemHandle handle, int ordinal) {
        process.checkCurrentAlive(call);
        MulticastObject object = multicast(call, handle);
        HostDevice device = process.device(call, ordinal);
        if (!device.facts().capabilities().multicast()) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "device=" + ordinal + " multicast=false");
        }
        for (Member member : object.members()) {
            if (!process.topology().sharesSwitches(process.host(), member.host())) {
                throw new DriverException(
                        call,
                        CuResult.CUDA_ERROR_INVALID_DEVICE,
                        "host=" + process.host() + " memberHost=" + member.host() + " sameClique=false");
            }
        }
        MulticastTable.Joining joining = object.join(new Member(process.host(), ordinal));
        if (joining != MulticastTable.Joining.JOINED) {
            throw HostProcess.invalidValue(
                    call, "device=" + ordinal + " joining=" + joining + " team=" + object.devices());
        }
    }

    void bind(String call, CuMemHandle handle, long offset, CuMemHandle memoryHandle, long memoryOffset, long bytes) {
        process.checkCurrentAlive(call);
        MulticastObject object = multicast(call, handle);
        VirtualCalls.Physical bound = virtual.physical(call, memoryHandle);
        if (!(bound.memory() instanceof PhysicalMemory memory)) {
            throw HostProcess.invalidValue(call, "memory=a multicast object");
        }
        checkRange(call, "object", offset, bytes, object.bytes());
        checkRange(call, "memory", memoryOffset, bytes, memory.bytes());
        // Memory that nobody else may see cannot be behind an object that others may.
        if (virtual.physical(call, handle).shareable() != ShareableType.NONE
                && bound.shareable() == ShareableType.NONE) {
            throw HostProcess.invalidValue(call, "object=shareable memory=not shareable");
        }
        awaitTeam(call, object);
        Member member = new Member(memory.origin().host(), memory.origin().device());
        if (!object.members().contains(member)) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_INVALID_DEVICE,
                    "memoryHost=" + member.host() + " memoryDevice=" + member.device() + " added=false");
        }
        checkFabricManager(call);
        takeSlot(call, object);
        if (!object.bind(member, offset, memory, memoryOffset, bytes, sharing.memberHandle(memory))) {
            throw HostProcess.invalidValue(call, "offset=" + offset + " bytes=" + bytes + " bound=already");
        }
    }

    private void checkRange(String call, String what, long offset, long bytes, long whole) {
        long granularity = facts().granularity();
        boolean aligned = offset % granularity == 0 && bytes % granularity == 0;
        if (!aligned || offset < 0 || bytes <= 0 || bytes > whole - offset) {
            throw HostProcess.invalidValue(
                    call,
                    what + "Offset=" + offset + " bytes=" + bytes + " " + what + "Bytes=" + whole + " granularity="
                            + granularity);
        }
    }

    private void checkFabricManager(String call) {
        Topology.FabricManager manager = facts().fabricManager();
        if (manager != Topology.FabricManager.RUNNING) {
            throw new DriverException(call, manager.answer(), "fabricManager=" + manager);
        }
    }

    private void takeSlot(String call, MulticastObject object) {
        if (!object.hasSlot()) {
            object.takeSlot(slots.take(call)::close);
        }
    }

    void unbind(String call, CuMemHandle handle, int ordinal, long offset, long bytes) {
        MulticastObject object = multicast(call, handle);
        process.device(call, ordinal);
        if (!object.unbind(new Member(process.host(), ordinal), offset, bytes)) {
            throw HostProcess.invalidValue(
                    call, "device=" + ordinal + " offset=" + offset + " bytes=" + bytes + " bound=false");
        }
        process.checkCurrentAlive(call);
    }

    /** Waits for the team where the handle is one of a multicast object; any other has none. */
    void awaitTeam(String call, CuMemHandle handle) {
        if (virtual.physical(call, handle).memory() instanceof MulticastObject object) {
            awaitTeam(call, object);
        }
    }

    private void awaitTeam(String call, MulticastObject object) {
        long start = System.nanoTime();
        while (object.members().size() < object.devices()) {
            if (System.nanoTime() - start > patience.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new DriverException(
                        call,
                        CuResult.CUDA_ERROR_TIMEOUT,
                        "added=" + object.members().size() + " devices=" + object.devices() + " waitedMillis="
                                + Duration.ofNanos(System.nanoTime() - start).toMillis());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private MulticastObject multicast(String call, CuMemHandle handle) {
        if (virtual.physical(call, handle).memory() instanceof MulticastObject object) {
            return object;
        }
        throw HostProcess.invalidValue(call, "handle=0x" + Long.toHexString(handle.value()) + " multicast=false");
    }
}
