package io.tutti.fidelity;

import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.HostMapped;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Plain device memory, host memory, copies and fills. */
final class PlainSteps {

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        PlainSteps script = new PlainSteps();
        script.allocations();
        script.frees();
        script.hostMemory();
        script.copies();
        script.fills();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void allocations() {
        allocate("1-byte", 1);
        allocate("nothing", 0);
        allocate("minus-one", -1);
        allocate("1-pib", 1L << 50);
        allocate("400-gib", 400 * Bench.GIB);
        allocate("half-of-everything", Long.MAX_VALUE);
        add(Step.of(
                "alloc-alignment",
                "cuMemAlloc",
                "8 bytes: aligned to 256",
                b -> b.askFor(() -> b.plain(8) % 256 == 0)));
    }

    private void allocate(String id, long bytes) {
        add(Step.of("alloc-" + id, "cuMemAlloc", bytes + " bytes", b -> b.ask(() -> b.plain(bytes))));
    }

    private void frees() {
        free("null", "address 0", b -> 0);
        free("wild", "an address where nothing is", b -> Bench.WILD);
        free("interior", "a pointer into an allocation", b -> b.plain(1024) + 256);
        free("twice", "memory that is free already", b -> b.freedPlain(8));
        free("large-twice", "64 MiB that are free already", b -> b.freedPlain(64 * Bench.MIB));
        free("virtual", "mapped virtual memory", b -> b.accessible(Bench.GRAIN));
        free("reserved", "a reserved address", b -> b.reserved(Bench.GRAIN));
        free(
                "host",
                "the device's address of host memory",
                b -> b.mappedHost(64).devicePointer());
    }

    private void free(String id, String what, ToLongFunction<Bench> pointer) {
        add(Step.of("free-" + id, "cuMemFree", what, b -> {
            long freed = pointer.applyAsLong(b);
            return b.ask(() -> b.driver().memFree(freed));
        }));
    }

    private void hostMemory() {
        add(Step.of("host-alloc-nothing", "cuMemHostAlloc", "0 bytes", b -> b.ask(() -> b.mappedHost(0))));
        add(Step.of(
                "host-alloc-1-byte",
                "cuMemHostAlloc",
                "1 byte, zeroed",
                b -> b.askFor(() -> b.mappedHost(1).buffer().get(0))));
        add(Step.of("host-free-twice", "cuMemFreeHost", "memory that is free already", b -> {
            HostMapped memory = b.driver().memHostAlloc(64);
            b.driver().memFreeHost(memory);
            return b.ask(() -> b.driver().memFreeHost(memory));
        }));
        add(Step.of(
                "host-free-foreign",
                "cuMemFreeHost",
                "a buffer of Java's own",
                b -> b.ask(() -> b.driver().memFreeHost(new HostMapped(Bench.bytes(64), Bench.WILD)))));
    }

    private void copies() {
        to("nothing-to-null", 0, "address 0", b -> 0);
        to("null", 8, "address 0", b -> 0);
        to("wild", 8, "an address where nothing is", b -> Bench.WILD);
        to("past-small", 2048, "an allocation of 1,024 bytes", b -> b.plain(1024));
        to("past-large", (int) (8 * Bench.MIB), "an allocation of 4 MiB", b -> b.plain(4 * Bench.MIB));
        to("freed", 8, "memory that is free already", b -> b.freedPlain(64 * Bench.MIB));
        to("reserved", 8, "a reserved address without memory", b -> b.reserved(Bench.GRAIN));
        to("no-access", 8, "mapped memory without access", b -> b.mapped(Bench.GRAIN));
        to("past-mapping", (int) (2 * Bench.GRAIN), "a mapping of half the size", b -> b.accessible(Bench.GRAIN));
        to("unmapped", 8, "an address that was unmapped", PlainSteps::unmapped);
        to(
                "host",
                8,
                "the device's address of host memory",
                b -> b.mappedHost(64).devicePointer());
        from("null", 8, "address 0", b -> 0);
        from("wild", 8, "an address where nothing is", b -> Bench.WILD);
        from("past-small", 2048, "an allocation of 1,024 bytes", b -> b.plain(1024));
        from("past-large", (int) (8 * Bench.MIB), "an allocation of 4 MiB", b -> b.plain(4 * Bench.MIB));
        from("reserved", 8, "a reserved address without memory", b -> b.reserved(Bench.GRAIN));
        from("no-access", 8, "mapped memory without access", b -> b.mapped(Bench.GRAIN));
        add(Step.of("copy-over-two-mappings", "cuMemcpyHtoD", "two mappings that lie side by side", b -> {
            long address = b.reserved(2 * Bench.GRAIN);
            b.map(address, Bench.GRAIN, b.handle());
            b.map(address + Bench.GRAIN, Bench.GRAIN, b.handle());
            b.driver().memSetAccess(address, 2 * Bench.GRAIN, 0);
            return b.ask(() -> b.driver().memcpyHtoD(address + Bench.GRAIN - 8, Bench.bytes(16)));
        }));
        between("within", "16 bytes of one allocation", 16, b -> b.plain(64), b -> b.plain(64));
        between("nothing", "0 bytes from address 0 to address 0", 0, b -> 0, b -> 0);
        between("minus-one", "-1 bytes", -1, b -> b.plain(64), b -> b.plain(64));
        between("to-wild", "to an address where nothing is", 16, b -> Bench.WILD, b -> b.plain(64));
        between("from-wild", "from an address where nothing is", 16, b -> b.plain(64), b -> Bench.WILD);
        between(
                "past-end",
                "8 MiB to an allocation of 4",
                8 * Bench.MIB,
                b -> b.plain(4 * Bench.MIB),
                b -> b.plain(8 * Bench.MIB));
        between("to-reserved", "to a reserved address", 16, b -> b.reserved(Bench.GRAIN), b -> b.plain(64));
        between("to-no-access", "to mapped memory without access", 16, b -> b.mapped(Bench.GRAIN), b -> b.plain(64));
        add(Step.of("copy-onto-itself", "cuMemcpyDtoDAsync", "overlapping ranges of one allocation", b -> {
            long pointer = b.plain(1024);
            CuStream stream = b.stream();
            return b.ask(() -> {
                b.driver().memcpyDtoDAsync(pointer + 16, pointer, 512, stream);
                b.sync(stream);
            });
        }));
    }

    private static long unmapped(Bench b) {
        long address = b.accessible(Bench.GRAIN);
        b.driver().memUnmap(address, Bench.GRAIN);
        return address;
    }

    private void to(String id, int bytes, String where, ToLongFunction<Bench> target) {
        add(Step.of("copy-to-" + id, "cuMemcpyHtoD", bytes + " bytes to " + where, b -> {
            long pointer = target.applyAsLong(b);
            return b.ask(() -> b.driver().memcpyHtoD(pointer, Bench.bytes(bytes)));
        }));
    }

    private void from(String id, int bytes, String where, ToLongFunction<Bench> source) {
        add(Step.of("copy-from-" + id, "cuMemcpyDtoH", bytes + " bytes from " + where, b -> {
            long pointer = source.applyAsLong(b);
            return b.ask(() -> b.driver().memcpyDtoH(Bench.bytes(bytes), pointer));
        }));
    }

    private void between(
            String id, String what, long bytes, ToLongFunction<Bench> target, ToLongFunction<Bench> source) {
        add(Step.of("copy-between-" + id, "cuMemcpyDtoDAsync", what + ", then synchronise", b -> {
            long to = target.applyAsLong(b);
            long from = source.applyAsLong(b);
            CuStream stream = b.stream();
            return b.ask(() -> {
                b.driver().memcpyDtoDAsync(to, from, bytes, stream);
                b.sync(stream);
            });
        }));
    }

    private void fills() {
        fill("unaligned", "2 bytes into an allocation", 1, b -> b.plain(64) + 2);
        fill("nothing", "0 words at address 0", 0, b -> 0);
        fill("minus-one", "-1 words", -1, b -> b.plain(64));
        fill("wild", "an address where nothing is", 1, b -> Bench.WILD);
        fill("past-small", "32 words in an allocation of 64 bytes", 32, b -> b.plain(64));
        fill("past-large", "8 MiB in an allocation of 4", 2 * Bench.MIB, b -> b.plain(4 * Bench.MIB));
        fill("reserved", "a reserved address", 1, b -> b.reserved(Bench.GRAIN));
        fill("no-access", "mapped memory without access", 1, b -> b.mapped(Bench.GRAIN));
        add(Step.of(
                "fill-reads-back",
                "cuMemsetD32Async",
                "16 words, read by a copy",
                b -> b.askFor(() -> {
                    long pointer = b.plain(64);
                    CuStream stream = b.stream();
                    b.driver().memsetD32Async(pointer, 4711, 16, stream);
                    b.sync(stream);
                    return b.word(pointer + 60);
                })));
    }

    private void fill(String id, String where, long count, ToLongFunction<Bench> target) {
        add(Step.of("fill-" + id, "cuMemsetD32Async", where + ", then synchronise", b -> {
            long pointer = target.applyAsLong(b);
            CuStream stream = b.stream();
            return b.ask(() -> {
                b.driver().memsetD32Async(pointer, 7, count, stream);
                b.sync(stream);
            });
        }));
    }
}
