package io.tutti.fidelity;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Memory for other processes: descriptors, fabric handles and legacy IPC. */
final class SharingSteps {

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        SharingSteps script = new SharingSteps();
        script.exports();
        script.imports();
        script.legacyHandles();
        script.legacyMemory();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void exports() {
        export("none-as-posix-fd", ShareableType.NONE, ShareableType.POSIX_FD);
        export("none-as-fabric", ShareableType.NONE, ShareableType.FABRIC);
        export("posix-fd-as-fabric", ShareableType.POSIX_FD, ShareableType.FABRIC);
        export("as-none", ShareableType.POSIX_FD, ShareableType.NONE);
        export("as-both", ShareableType.POSIX_FD, ShareableType.POSIX_FD_AND_FABRIC);
        add(Step.of("export-twice", "cuMemExportToShareableHandle", "a second time: another descriptor", b -> {
            CuMemHandle handle = b.handle();
            ShareableHandle.PosixFd first = b.descriptor(handle);
            return b.askFor(() -> b.descriptor(handle).fd() != first.fd());
        }));
        add(Step.of("export-imported", "cuMemExportToShareableHandle", "memory that was imported", b -> {
            CuMemHandle imported = b.imported(b.descriptor(b.handle()));
            return b.ask(() -> b.descriptor(imported));
        }));
        add(Step.of("export-released", "cuMemExportToShareableHandle", "a handle that is released already", b -> {
                    CuMemHandle handle =
                            b.driver().memCreate(Bench.GRAIN, new AllocationProperties(0, ShareableType.POSIX_FD));
                    b.driver().memRelease(handle);
                    return b.ask(() -> b.descriptor(handle));
                })
                .alone());
    }

    private void export(String id, ShareableType created, ShareableType type) {
        String arguments = "memory for handle type " + created + " as " + type;
        add(Step.of("export-" + id, "cuMemExportToShareableHandle", arguments, b -> {
            CuMemHandle handle = b.handle(Bench.GRAIN, created);
            return b.ask(() -> b.driver().memExportToShareableHandle(handle, type));
        }));
    }

    private void imports() {
        add(Step.of("import-own", "cuMemImportFromShareableHandle", "a descriptor of this process's own memory", b -> {
            ShareableHandle descriptor = b.descriptor(b.handle());
            return b.ask(() -> b.imported(descriptor));
        }));
        add(Step.of(
                "import-same-memory",
                "cuMemImportFromShareableHandle",
                "the imported memory is the exported one",
                b -> {
                    CuMemHandle handle = b.handle();
                    long address = b.reserved(Bench.GRAIN);
                    b.map(address, Bench.GRAIN, handle);
                    b.driver().memSetAccess(address, Bench.GRAIN, 0);
                    ShareableHandle descriptor = b.descriptor(handle);
                    return b.askFor(() -> {
                        long again = b.reserved(Bench.GRAIN);
                        b.map(again, Bench.GRAIN, b.imported(descriptor));
                        b.driver().memSetAccess(again, Bench.GRAIN, 0);
                        b.driver().memcpyHtoD(address, Bench.bytes(4).putInt(0, 4711));
                        return b.word(again);
                    });
                }));
        add(Step.of(
                "import-after-release", "cuMemImportFromShareableHandle", "the exporter has released the memory", b -> {
                    CuMemHandle handle =
                            b.driver().memCreate(Bench.GRAIN, new AllocationProperties(0, ShareableType.POSIX_FD));
                    ShareableHandle descriptor = b.descriptor(handle);
                    b.driver().memRelease(handle);
                    return b.ask(() -> b.imported(descriptor));
                }));
        add(Step.of("import-closed", "cuMemImportFromShareableHandle", "a descriptor that is closed", b -> {
            ShareableHandle.PosixFd descriptor = b.descriptor(b.handle());
            Descriptors.close(descriptor.fd());
            return b.ask(() -> b.imported(descriptor));
        }));
        add(Step.of(
                "import-minus-one",
                "cuMemImportFromShareableHandle",
                "descriptor -1",
                b -> b.ask(() -> b.imported(new ShareableHandle.PosixFd(-1)))));
        descriptorOf("import-dev-null", Path.of("/dev/null"));
        descriptorOf("import-dev-zero", Path.of("/dev/zero"));
        add(Step.of(
                "import-junk-fabric",
                "cuMemImportFromShareableHandle",
                "64 zero bytes as a fabric handle",
                b -> b.ask(() -> b.imported(new ShareableHandle.Fabric(new byte[64])))));
        add(Step.of(
                "import-noise-fabric", "cuMemImportFromShareableHandle", "64 bytes of 0x5a as a fabric handle", b -> {
                    byte[] noise = new byte[64];
                    Arrays.fill(noise, (byte) 0x5a);
                    return b.ask(() -> b.imported(new ShareableHandle.Fabric(noise)));
                }));
        add(Step.of(
                "import-short-fabric",
                "cuMemImportFromShareableHandle",
                "63 bytes as a fabric handle",
                b -> b.ask(() -> b.imported(new ShareableHandle.Fabric(new byte[63])))));
    }

    private void descriptorOf(String id, Path path) {
        add(Step.of(id, "cuMemImportFromShareableHandle", "a descriptor of " + path, b -> {
            int fd = open(path);
            b.atEnd(() -> Descriptors.close(fd));
            return b.ask(() -> b.imported(new ShareableHandle.PosixFd(fd)));
        }));
    }

    private static int open(Path path) {
        try {
            return Descriptors.open(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void legacyHandles() {
        legacy("base", "plain memory", b -> b.plain(Bench.MIB));
        legacy("small", "8 bytes of plain memory", b -> b.plain(8));
        legacy("interior", "a pointer into an allocation", b -> b.plain(Bench.MIB) + 4096);
        legacy("freed", "memory that is free already", b -> b.freedPlain(64 * Bench.MIB));
        legacy("null", "address 0", b -> 0);
        legacy("wild", "an address where nothing is", b -> Bench.WILD);
        legacy("virtual", "virtual memory", b -> b.accessible(Bench.GRAIN));
        legacy(
                "host",
                "the device's address of host memory",
                b -> b.mappedHost(64).devicePointer());
        legacy("opened", "memory of another process", b -> b.opened(b.foreignHandle(0)));
    }

    private void legacy(String id, String what, ToLongFunction<Bench> pointer) {
        add(Step.of("ipc-get-" + id, "cuIpcGetMemHandle", what, b -> {
            long memory = pointer.applyAsLong(b);
            return b.ask(() -> b.driver().ipcGetMemHandle(memory));
        }));
    }

    private void legacyMemory() {
        add(Step.of("ipc-open-junk", "cuIpcOpenMemHandle", "64 zero bytes", b -> b.ask(() -> b.opened(new byte[64]))));
        add(Step.of("ipc-open-short", "cuIpcOpenMemHandle", "63 bytes", b -> b.ask(() -> b.opened(new byte[63]))));
        add(Step.of("ipc-open-own", "cuIpcOpenMemHandle", "a handle of this process", b -> {
            byte[] own = b.driver().ipcGetMemHandle(b.plain(Bench.MIB));
            return b.ask(() -> b.opened(own));
        }));
        add(Step.of("ipc-open", "cuIpcOpenMemHandle", "a handle of another process", b -> {
            byte[] handle = b.foreignHandle(0);
            return b.ask(() -> b.opened(handle));
        }));
        add(Step.of("ipc-open-twice", "cuIpcOpenMemHandle", "the same handle again: the same address", b -> {
            byte[] handle = b.foreignHandle(0);
            long first = b.opened(handle);
            return b.askFor(() -> b.opened(handle) == first);
        }));
        add(Step.of("ipc-open-orphaned", "cuIpcOpenMemHandle", "a handle of a process that has ended", b -> {
            byte[] handle = b.orphanedHandle();
            return b.ask(() -> b.opened(handle));
        }));
        add(Step.of("ipc-close-twice", "cuIpcCloseMemHandle", "memory that is closed already", b -> {
            long pointer = b.driver().ipcOpenMemHandle(b.foreignHandle(0));
            b.driver().ipcCloseMemHandle(pointer);
            return b.ask(() -> b.driver().ipcCloseMemHandle(pointer));
        }));
        add(Step.of("ipc-close-once-of-two", "cuIpcCloseMemHandle", "opened twice, closed twice", b -> {
            byte[] handle = b.foreignHandle(0);
            long pointer = b.driver().ipcOpenMemHandle(handle);
            b.driver().ipcOpenMemHandle(handle);
            b.driver().ipcCloseMemHandle(pointer);
            return b.ask(() -> b.driver().ipcCloseMemHandle(pointer));
        }));
        close("own", "plain memory of this process", b -> b.plain(Bench.MIB));
        close("interior", "a pointer into opened memory", b -> b.opened(b.foreignHandle(0)) + 4096);
        close("wild", "an address where nothing is", b -> Bench.WILD);
        close("null", "address 0", b -> 0);
        add(Step.of("ipc-free", "cuMemFree", "memory of another process, opened by legacy IPC", b -> {
                    long pointer = b.opened(b.foreignHandle(0));
                    return b.ask(() -> b.driver().memFree(pointer));
                })
                .alone());
    }

    private void close(String id, String what, ToLongFunction<Bench> pointer) {
        add(Step.of("ipc-close-" + id, "cuIpcCloseMemHandle", what, b -> {
            long closed = pointer.applyAsLong(b);
            return b.ask(() -> b.driver().ipcCloseMemHandle(closed));
        }));
    }
}
