package io.tutti.gpu.host;

import io.tutti.gpu.host.execution.MemoryPlace;
import io.tutti.gpu.host.execution.Places;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.host.memory.AddressSpace;
import io.tutti.gpu.host.memory.Mapping;
import io.tutti.gpu.host.memory.PhysicalMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of other ranks that this driver's kernels read in place, as MPI libraries do over XPMEM: mapped when it is first
 * announced, and kept while its owner has it. Ranks of one driver share their address space, so among them nothing is
 * mapped. Lookups take no lock; the caller is inside {@link io.tutti.gpu.host.memory.Quiescence}.
 */
final class Attachments implements Places {

    private static final Logger LOG = LoggerFactory.getLogger(Attachments.class);

    /** More than this is not mapped: whoever allocates anew for each call would only pay for it. */
    private static final int MOST = 256;

    private record Attached(long serial, int pid, int descriptor, PhysicalMemory memory) {}

    private final HostProcess process;
    private final ForeignMemory foreign;
    private final int pid = (int) ProcessHandle.current().pid();
    private volatile Attached[] table = {};

    Attachments(HostProcess process) {
        this.process = process;
        this.foreign = new ForeignMemory(process);
    }

    @Override
    public void locate(long devicePointer, long bytes, MemoryPlace into) {
        Mapping mapping = process.space().find(devicePointer);
        if (mapping == null
                || bytes > AddressSpace.LARGEST_SPAN
                || !mapping.holds(devicePointer, bytes)
                || !(mapping.memory() instanceof PhysicalMemory memory)
                || memory.origin().serial() == 0) {
            into.clear();
            return;
        }
        long offset = mapping.memoryOffset() + (devicePointer - mapping.base());
        into.set(process.id(), pid, memory.descriptor(), memory.origin().serial(), devicePointer, offset);
    }

    @Override
    public boolean isOnThisHost(long devicePointer) {
        Mapping mapping = process.space().find(devicePointer);
        return mapping != null && process.isHere(mapping.memory().origin());
    }

    @Override
    public @Nullable Span inPlace(MemoryPlace place, long bytes) {
        PhysicalMemory memory = place.driver() == process.id() ? own(place) : find(place.serial());
        if (memory == null || place.offset() < 0 || bytes > memory.bytes() - place.offset()) {
            return null;
        }
        return new Span(memory.window(place.offset()), memory.offsetInWindow(place.offset()));
    }

    private @Nullable PhysicalMemory own(MemoryPlace place) {
        Mapping mapping = process.space().find(place.address());
        return mapping != null
                        && mapping.memory() instanceof PhysicalMemory memory
                        && memory.origin().serial() == place.serial()
                ? memory
                : null;
    }

    private @Nullable PhysicalMemory find(long serial) {
        Attached[] now = table;
        int low = 0;
        int high = now.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (now[middle].serial == serial) {
                return now[middle].memory;
            }
            if (now[middle].serial < serial) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    @Override
    public synchronized boolean attach(MemoryPlace place) {
        if (place.driver() == process.id()) {
            return own(place) != null;
        }
        if (find(place.serial()) != null) {
            return true;
        }
        if (place.pid() == pid) {
            // Another driver of this JVM, which only tests have: its memory would outlive its owner's release.
            return false;
        }
        List<Attached> all = withoutFreed();
        if (all.size() >= MOST) {
            return false;
        }
        try {
            PhysicalMemory memory = foreign.find(
                    place.pid(),
                    place.descriptor(),
                    found -> process.isHere(found) && found.serial() == place.serial());
            all.add(new Attached(place.serial(), place.pid(), place.descriptor(), memory));
            all.sort(Comparator.comparingLong(Attached::serial));
            table = all.toArray(Attached[]::new);
            return true;
        } catch (IOException e) {
            LOG.debug("memory cannot be read in place: pid={} serial={}", place.pid(), place.serial(), e);
            return false;
        }
    }

    /** Lets go of what its owner has freed, so that at most what the owners hold stays in memory. */
    private List<Attached> withoutFreed() {
        List<Attached> kept = new ArrayList<>();
        List<Attached> freed = new ArrayList<>();
        for (Attached attached : table) {
            boolean held = foreign.isHeld(attached.pid, attached.descriptor, attached.memory.origin());
            (held ? kept : freed).add(attached);
        }
        table = kept.toArray(Attached[]::new);
        freed.forEach(attached -> attached.memory.release());
        return kept;
    }

    @Override
    public synchronized void detachAll() {
        Attached[] all = table;
        table = new Attached[0];
        Arrays.stream(all).forEach(attached -> attached.memory.release());
    }

    /** How many memories of other drivers are mapped, for tests. */
    int count() {
        return table.length;
    }
}
