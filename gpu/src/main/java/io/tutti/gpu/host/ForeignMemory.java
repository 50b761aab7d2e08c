package io.tutti.gpu.host;

import io.tutti.gpu.host.memory.MemoryOrigin;
import io.tutti.gpu.host.memory.MemorySource;
import io.tutti.gpu.host.memory.PhysicalMemory;
import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.posix.SharedMemory;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Finds the physical memory behind a descriptor, or behind a handle that names the exporter's descriptor. The exporter's
 * process need not answer: the system opens its descriptor for another process of the same user. What this JVM exports is
 * lent to its other drivers as it is mapped here.
 */
final class ForeignMemory {

    private static final Map<Long, WeakReference<PhysicalMemory>> IN_THIS_JVM = new ConcurrentHashMap<>();

    private final HostProcess process;

    ForeignMemory(HostProcess process) {
        this.process = process;
    }

    /** Makes memory known to other drivers of this JVM. */
    void publish(PhysicalMemory memory) {
        IN_THIS_JVM.values().removeIf(reference -> reference.get() == null);
        IN_THIS_JVM.put(memory.origin().serial(), new WeakReference<>(memory));
    }

    /** Maps what a descriptor of this process refers to, with one reference; the descriptor stays the caller's. */
    PhysicalMemory attach(int fd) throws IOException {
        MemoryOrigin origin = MemoryOrigin.parse(Descriptors.name(fd))
                .orElseThrow(() -> new IOException("not memory of this driver: fd=" + fd));
        return MemorySource.wrap(origin, SharedMemory.attach(fd), process.quiescence(), () -> {});
    }

    /** The memory of a handle, with one reference for the caller. */
    PhysicalMemory find(SharedHandle handle) throws IOException {
        if (handle.pid() == ProcessHandle.current().pid()) {
            return lent(handle.origin());
        }
        return find(handle.pid(), handle.fd(), handle.origin()::equals);
    }

    /**
     * Maps what a descriptor of another process refers to, with one reference.
     *
     * @param expected whether it is still the right memory; the process may have closed it meanwhile and opened something
     *     else under the same number
     */
    PhysicalMemory find(long pid, int descriptor, Predicate<MemoryOrigin> expected) throws IOException {
        int fd = Descriptors.open(Descriptors.path(pid, descriptor));
        try {
            if (MemoryOrigin.parse(Descriptors.name(fd)).filter(expected).isEmpty()) {
                throw new IOException("the exporter has freed the memory: pid=" + pid);
            }
            return attach(fd);
        } finally {
            Descriptors.close(fd);
        }
    }

    /** Whether a process still has the memory behind a descriptor of its own. */
    boolean isHeld(long pid, int descriptor, MemoryOrigin origin) {
        try {
            String name =
                    Files.readSymbolicLink(Descriptors.path(pid, descriptor)).toString();
            return MemoryOrigin.parse(name).filter(origin::equals).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private PhysicalMemory lent(MemoryOrigin origin) throws IOException {
        WeakReference<PhysicalMemory> reference = IN_THIS_JVM.get(origin.serial());
        PhysicalMemory memory = reference == null ? null : reference.get();
        return Optional.ofNullable(memory)
                .filter(found -> found.origin().equals(origin))
                .flatMap(found -> found.lend(process.quiescence()))
                .orElseThrow(() -> new IOException("the exporter has freed the memory: serial=" + origin.serial()));
    }
}
