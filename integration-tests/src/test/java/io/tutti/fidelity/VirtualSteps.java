package io.tutti.fidelity;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.ShareableType;
import java.util.ArrayList;
import java.util.List;

/** Virtual memory: physical memory by handle, reserved addresses, mappings and access, in the right and wrong orders. */
final class VirtualSteps {

    private static final long GRAIN = Bench.GRAIN;

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        VirtualSteps script = new VirtualSteps();
        script.creation();
        script.release();
        script.reservation();
        script.reservationGivenBack();
        script.mapping();
        script.unmapping();
        script.access();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void creation() {
        create("grain", GRAIN, 0, ShareableType.NONE);
        create("posix-fd", GRAIN, 0, ShareableType.POSIX_FD);
        create("fabric", GRAIN, 0, ShareableType.FABRIC);
        create("posix-fd-and-fabric", GRAIN, 0, ShareableType.POSIX_FD_AND_FABRIC);
        create("nothing", 0, 0, ShareableType.NONE);
        create("1-byte", 1, 0, ShareableType.NONE);
        create("1000-bytes", 1000, 0, ShareableType.POSIX_FD);
        create("4-kib", 4096, 0, ShareableType.NONE);
        create("grain-less-one", GRAIN - 1, 0, ShareableType.NONE);
        create("grain-and-one", GRAIN + 1, 0, ShareableType.NONE);
        create("three-grains", 3 * GRAIN, 0, ShareableType.NONE);
        create("minus-one", -1, 0, ShareableType.NONE);
        create("minus-grain", -GRAIN, 0, ShareableType.NONE);
        create("400-gib", 400 * Bench.GIB, 0, ShareableType.NONE);
        create("1-eib", 1L << 60, 0, ShareableType.NONE);
        create("device-77", GRAIN, 77, ShareableType.NONE);
        create("device-minus-one", GRAIN, -1, ShareableType.NONE);
        create("device-77-fabric", GRAIN, 77, ShareableType.FABRIC);
        create("1000-bytes-fabric", 1000, 0, ShareableType.FABRIC);
        create("400-gib-fabric", 400 * Bench.GIB, 0, ShareableType.FABRIC);
    }

    private void create(String id, long bytes, int device, ShareableType type) {
        String arguments = bytes + " bytes on device " + device + ", handle type " + type;
        add(Step.of(
                "create-" + id,
                "cuMemCreate",
                arguments,
                b -> b.ask(() -> b.handle(bytes, new AllocationProperties(device, type)))));
    }

    private void release() {
        add(Step.of(
                        "release-null",
                        "cuMemRelease",
                        "handle 0",
                        b -> b.ask(() -> b.driver().memRelease(new CuMemHandle(0))))
                .alone());
        add(Step.of(
                        "release-wild",
                        "cuMemRelease",
                        "a handle of nothing",
                        b -> b.ask(() -> b.driver().memRelease(new CuMemHandle(Bench.WILD))))
                .alone());
        add(Step.of("release-twice", "cuMemRelease", "a handle that is released already", b -> {
                    CuMemHandle released = released(b);
                    return b.ask(() -> b.driver().memRelease(released));
                })
                .alone());
        add(Step.of("release-while-mapped", "cuMemRelease", "memory that is mapped, and stays so", b -> {
            long address = b.reserved(GRAIN);
            CuMemHandle handle = b.driver().memCreate(GRAIN, new AllocationProperties(0, ShareableType.NONE));
            b.map(address, GRAIN, handle);
            b.driver().memSetAccess(address, GRAIN, 0);
            return b.askFor(() -> {
                b.driver().memRelease(handle);
                b.driver().memcpyHtoD(address, Bench.bytes(4).putInt(0, 4711));
                return b.word(address);
            });
        }));
    }

    private static CuMemHandle released(Bench b) {
        CuMemHandle handle = b.driver().memCreate(GRAIN, new AllocationProperties(0, ShareableType.POSIX_FD));
        b.driver().memRelease(handle);
        return handle;
    }

    private void reservation() {
        reserve("grain", GRAIN, 0);
        reserve("nothing", 0, 0);
        reserve("1-byte", 1, 0);
        reserve("4-kib", 4096, 0);
        reserve("grain-less-one", GRAIN - 1, 0);
        reserve("grain-and-one", GRAIN + 1, 0);
        reserve("minus-one", -1, 0);
        reserve("1-tib", 1L << 40, 0);
        reserve("1-eib", 1L << 60, 0);
        reserve("aligned-to-1", GRAIN, 1);
        reserve("aligned-to-3", GRAIN, 3);
        reserve("aligned-to-4-kib", GRAIN, 4096);
        reserve("aligned-to-3-grains", GRAIN, 3 * GRAIN);
        reserve("aligned-to-1-gib", GRAIN, Bench.GIB);
        reserve("aligned-to-minus-one", GRAIN, -1);
    }

    private void reserve(String id, long bytes, long alignment) {
        String arguments = bytes + " bytes aligned to " + alignment + ": aligned as asked";
        add(Step.of(
                "reserve-" + id,
                "cuMemAddressReserve",
                arguments,
                b -> b.askFor(() -> b.reserved(bytes, alignment) % Math.max(1, alignment) == 0)));
    }

    private void reservationGivenBack() {
        add(Step.of("unreserve-twice", "cuMemAddressFree", "a range that is free already", b -> {
            long address = b.driver().memAddressReserve(GRAIN, 0);
            b.driver().memAddressFree(address, GRAIN);
            return b.ask(() -> b.driver().memAddressFree(address, GRAIN));
        }));
        unreserve("half", "half of a reservation", 0, GRAIN);
        unreserve("second-half", "the second half of a reservation", GRAIN, GRAIN);
        unreserve("double", "twice the size of a reservation", 0, 4 * GRAIN);
        unreserve("nothing", "0 bytes of a reservation", 0, 0);
        add(Step.of(
                "unreserve-wild",
                "cuMemAddressFree",
                "an address that was never reserved",
                b -> b.ask(() -> b.driver().memAddressFree(1L << 40, GRAIN))));
        add(Step.of(
                "unreserve-null",
                "cuMemAddressFree",
                "address 0, 0 bytes",
                b -> b.ask(() -> b.driver().memAddressFree(0, 0))));
        add(Step.of("unreserve-mapped", "cuMemAddressFree", "a range with memory mapped in it", b -> {
            long address = b.mapped(GRAIN);
            return b.ask(() -> b.driver().memAddressFree(address, GRAIN));
        }));
        add(Step.of("unreserve-plain", "cuMemAddressFree", "the address of plain memory", b -> {
            long pointer = b.plain(GRAIN);
            return b.ask(() -> b.driver().memAddressFree(pointer, GRAIN));
        }));
    }

    private void unreserve(String id, String what, long offset, long bytes) {
        add(Step.of("unreserve-" + id, "cuMemAddressFree", what, b -> {
            long address = b.reserved(2 * GRAIN);
            return b.ask(() -> b.driver().memAddressFree(address + offset, bytes));
        }));
    }

    private void mapping() {
        map("whole", "a handle over a whole reservation", GRAIN, 0, GRAIN, GRAIN);
        map("second-half", "into the second half of a reservation", 2 * GRAIN, GRAIN, GRAIN, GRAIN);
        map("half-of-handle", "the first half of a handle", 2 * GRAIN, 0, GRAIN, 2 * GRAIN);
        map("larger-than-handle", "twice a handle's size", 2 * GRAIN, 0, 2 * GRAIN, GRAIN);
        map("past-reservation", "past the end of a reservation", GRAIN, 0, 2 * GRAIN, 2 * GRAIN);
        map("unaligned", "4 KiB into a reservation", 2 * GRAIN, 4096, GRAIN, GRAIN);
        map("nothing", "0 bytes", GRAIN, 0, 0, GRAIN);
        map("1000-bytes", "1,000 bytes", GRAIN, 0, 1000, GRAIN);
        add(Step.of("map-not-reserved", "cuMemMap", "at an address that was never reserved", b -> {
            CuMemHandle handle = b.handle();
            return b.ask(() -> b.map(1L << 40, GRAIN, handle));
        }));
        add(Step.of("map-null", "cuMemMap", "at address 0", b -> {
            CuMemHandle handle = b.handle();
            return b.ask(() -> b.map(0, GRAIN, handle));
        }));
        add(Step.of("map-twice", "cuMemMap", "where something is mapped already", b -> {
            long address = b.mapped(GRAIN);
            CuMemHandle another = b.handle();
            return b.ask(() -> b.driver().memMap(address, GRAIN, another));
        }));
        add(Step.of("map-at-two-places", "cuMemMap", "one handle at two addresses", b -> {
            CuMemHandle handle = b.handle();
            b.map(b.reserved(GRAIN), GRAIN, handle);
            long second = b.reserved(GRAIN);
            return b.ask(() -> b.map(second, GRAIN, handle));
        }));
        add(Step.of("map-released", "cuMemMap", "a handle that is released already", b -> {
                    CuMemHandle released = released(b);
                    long address = b.reserved(GRAIN);
                    return b.ask(() -> b.map(address, GRAIN, released));
                })
                .alone());
        add(Step.of("map-null-handle", "cuMemMap", "handle 0", b -> {
                    long address = b.reserved(GRAIN);
                    return b.ask(() -> b.map(address, GRAIN, new CuMemHandle(0)));
                })
                .alone());
    }

    private void map(String id, String what, long reserved, long offset, long bytes, long handleBytes) {
        add(Step.of("map-" + id, "cuMemMap", what, b -> {
            long address = b.reserved(reserved);
            CuMemHandle handle = b.handle(handleBytes, ShareableType.NONE);
            return b.ask(() -> b.map(address + offset, bytes, handle));
        }));
    }

    private void unmapping() {
        add(Step.of("unmap-twice", "cuMemUnmap", "a range that is unmapped already", b -> {
            long address = b.mapped(GRAIN);
            b.driver().memUnmap(address, GRAIN);
            return b.ask(() -> b.driver().memUnmap(address, GRAIN));
        }));
        add(Step.of("unmap-reserved", "cuMemUnmap", "a reservation with nothing mapped", b -> {
            long address = b.reserved(GRAIN);
            return b.ask(() -> b.driver().memUnmap(address, GRAIN));
        }));
        add(Step.of(
                "unmap-wild",
                "cuMemUnmap",
                "an address that was never reserved",
                b -> b.ask(() -> b.driver().memUnmap(1L << 40, GRAIN))));
        add(Step.of("unmap-half", "cuMemUnmap", "half of a mapping", b -> {
            long address = b.mapped(2 * GRAIN);
            return b.ask(() -> b.driver().memUnmap(address, GRAIN));
        }));
        add(Step.of("unmap-nothing", "cuMemUnmap", "0 bytes of a mapping", b -> {
            long address = b.mapped(GRAIN);
            return b.ask(() -> b.driver().memUnmap(address, 0));
        }));
        add(Step.of("unmap-two", "cuMemUnmap", "two mappings at once", b -> {
            long address = b.reserved(2 * GRAIN);
            b.map(address, GRAIN, b.handle());
            b.map(address + GRAIN, GRAIN, b.handle());
            return b.ask(() -> b.driver().memUnmap(address, 2 * GRAIN));
        }));
        add(Step.of("unmap-hole", "cuMemUnmap", "two mappings with a hole between them", b -> {
            long address = b.reserved(3 * GRAIN);
            b.map(address, GRAIN, b.handle());
            b.map(address + 2 * GRAIN, GRAIN, b.handle());
            return b.ask(() -> b.driver().memUnmap(address, 3 * GRAIN));
        }));
        add(Step.of("unmap-plain", "cuMemUnmap", "plain memory", b -> {
            long pointer = b.plain(GRAIN);
            return b.ask(() -> b.driver().memUnmap(pointer, GRAIN));
        }));
    }

    private void access() {
        add(Step.of("access-reserved", "cuMemSetAccess", "a reservation with nothing mapped", b -> {
            long address = b.reserved(GRAIN);
            return b.ask(() -> b.driver().memSetAccess(address, GRAIN, 0));
        }));
        add(Step.of(
                "access-wild",
                "cuMemSetAccess",
                "an address that was never reserved",
                b -> b.ask(() -> b.driver().memSetAccess(1L << 40, GRAIN, 0))));
        add(Step.of("access-plain", "cuMemSetAccess", "plain memory", b -> {
            long pointer = b.plain(GRAIN);
            return b.ask(() -> b.driver().memSetAccess(pointer, GRAIN, 0));
        }));
        access("device-77", "device 77", GRAIN, 0, GRAIN, 77);
        access("device-minus-one", "device -1", GRAIN, 0, GRAIN, -1);
        access("half", "half of a mapping", 2 * GRAIN, 0, GRAIN, 0);
        access("second-half", "the second half of a mapping", 2 * GRAIN, GRAIN, GRAIN, 0);
        access("nothing", "0 bytes of a mapping", GRAIN, 0, 0, 0);
        access("past-end", "past the end of a mapping", GRAIN, 0, 2 * GRAIN, 0);
        access("unaligned", "from 4 KiB into a mapping on", 2 * GRAIN, 4096, GRAIN, 0);
        add(Step.of("access-two", "cuMemSetAccess", "two mappings at once", b -> {
            long address = b.reserved(2 * GRAIN);
            b.map(address, GRAIN, b.handle());
            b.map(address + GRAIN, GRAIN, b.handle());
            return b.ask(() -> b.driver().memSetAccess(address, 2 * GRAIN, 0));
        }));
        add(Step.of("access-again", "cuMemSetAccess", "memory that has access already", b -> {
            long address = b.accessible(GRAIN);
            return b.ask(() -> b.driver().memSetAccess(address, GRAIN, 0));
        }));
    }

    private void access(String id, String what, long mapped, long offset, long bytes, int device) {
        add(Step.of("access-" + id, "cuMemSetAccess", what, b -> {
            long address = b.mapped(mapped);
            return b.ask(() -> b.driver().memSetAccess(address + offset, bytes, device));
        }));
    }
}
