package io.tutti.gpu.host.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plain allocations ({@code cuMemAlloc}) of one device: small ones share slabs, since a memfd and two mappings for each
 * small tensor would run a process out of both; large ones have physical memory of their own. Each allocation is its own
 * mapping, so running over its end is caught. Thread-safe.
 */
public final class PlainHeap {

    private static final long SLAB = 2L << 20;
    private static final long LARGEST_SMALL = SLAB / 4;
    private static final long PAGE = 4096;

    /** Allocates physical memory against the device's budget. */
    @FunctionalInterface
    public interface Budget {
        /** Zeroed memory with one reference. */
        PhysicalMemory allocate(long bytes) throws MemorySource.OutOfHostMemory;
    }

    private record Allocation(Mapping mapping, @Nullable Slab slab) {}

    private final AddressSpace space;
    private final Quiescence quiescence;
    private final Budget budget;
    private final Access access;
    private final List<Slab> slabs = new ArrayList<>();
    private final Map<Long, Allocation> allocations = new HashMap<>();

    public PlainHeap(AddressSpace space, Quiescence quiescence, Budget budget, Access access) {
        this.space = space;
        this.quiescence = quiescence;
        this.budget = budget;
        this.access = access;
    }

    /** A 256-byte-aligned address of {@code bytes} (positive) bytes. */
    public synchronized long allocate(long bytes) throws MemorySource.OutOfHostMemory {
        return bytes <= LARGEST_SMALL ? allocateSmall(bytes) : allocateLarge(bytes);
    }

    private long allocateSmall(long bytes) throws MemorySource.OutOfHostMemory {
        long rounded = Slab.rounded(bytes);
        for (Slab slab : slabs) {
            long offset = slab.take(rounded);
            if (offset >= 0) {
                return place(slab, offset, bytes);
            }
        }
        PhysicalMemory memory = budget.allocate(SLAB);
        Slab slab = new Slab(memory, reserve(memory));
        slabs.add(slab);
        return place(slab, slab.take(rounded), bytes);
    }

    private long place(Slab slab, long offset, long bytes) {
        Mapping mapping = new Mapping(slab.base + offset, bytes, slab.memory.retain(), offset, access);
        space.map(mapping);
        allocations.put(mapping.base(), new Allocation(mapping, slab));
        return mapping.base();
    }

    private long allocateLarge(long bytes) throws MemorySource.OutOfHostMemory {
        PhysicalMemory memory = budget.allocate((bytes + PAGE - 1) / PAGE * PAGE);
        Mapping mapping = new Mapping(reserve(memory), bytes, memory, 0, access);
        space.map(mapping);
        allocations.put(mapping.base(), new Allocation(mapping, null));
        return mapping.base();
    }

    private long reserve(PhysicalMemory memory) throws MemorySource.OutOfHostMemory {
        long base = space.reserve(memory.bytes(), PAGE);
        if (base == 0) {
            memory.release();
            throw new MemorySource.OutOfHostMemory("addresses=exhausted bytes=" + memory.bytes());
        }
        return base;
    }

    /** The allocation that starts at {@code address}, or null. */
    public synchronized @Nullable Mapping allocationAt(long address) {
        Allocation allocation = allocations.get(address);
        return allocation == null ? null : allocation.mapping;
    }

    /** False when no allocation starts at {@code address}. */
    public synchronized boolean free(long address) {
        Allocation allocation = allocations.remove(address);
        if (allocation == null) {
            return false;
        }
        Mapping mapping = allocation.mapping;
        space.unmap(address);
        Slab slab = allocation.slab;
        if (slab == null) {
            space.unreserve(address, mapping.memory().bytes());
            mapping.memory().release();
        } else {
            // A kernel that is running now may still store here; the piece must not go to somebody else before.
            quiescence.retire(() -> giveBack(slab, mapping));
        }
        return true;
    }

    private synchronized void giveBack(Slab slab, Mapping mapping) {
        slab.giveBack(mapping.memoryOffset(), Slab.rounded(mapping.bytes()));
        mapping.memory().release();
        // One empty slab stays for the next allocation: making one costs a thousand times a piece of it.
        if (slab.isEmpty() && slabs.stream().anyMatch(other -> other != slab && other.isEmpty())) {
            drop(slab);
        }
    }

    private void drop(Slab slab) {
        slabs.remove(slab);
        space.unreserve(slab.base, slab.memory.bytes());
        slab.memory.release();
    }

    /** Gives back what is kept for later allocations; false when there was nothing. */
    public synchronized boolean trim() {
        List<Slab> empty = slabs.stream().filter(Slab::isEmpty).toList();
        empty.forEach(this::drop);
        return !empty.isEmpty();
    }

    public synchronized void freeAll() {
        List.copyOf(allocations.keySet()).forEach(this::free);
        trim();
    }

    public synchronized int count() {
        return allocations.size();
    }
}
