package io.tutti.gpu.host.memory;

import io.tutti.gpu.host.execution.IllegalAddressException;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.MulticastSpan;
import io.tutti.gpu.host.execution.Span;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The emulated 64-bit address space that all devices of one process share. Addresses are numbers, not pointers: each
 * process has a region of its own, so that a peer's address used by mistake resolves to nothing, and a gap follows each
 * reservation. Lookups take no lock and see one consistent table; changes copy it.
 */
public final class AddressSpace {

    /** The longest range that one window holds. */
    public static final long LARGEST_SPAN = 1L << 30;

    private static final int REGION_SHIFT = 48;
    private static final int REGIONS = 127;
    private static final long GUARD = 1L << 21;
    private static final AtomicInteger NEXT_REGION = new AtomicInteger();

    private record Table(long[] bases, Mapping[] mappings) {

        @Nullable
        Mapping find(long address) {
            int index = Arrays.binarySearch(bases, address);
            int floor = index >= 0 ? index : -index - 2;
            return floor < 0 || address >= mappings[floor].end() ? null : mappings[floor];
        }
    }

    private final long regionStart;
    private final long regionEnd;
    private final TreeMap<Long, Long> reservations = new TreeMap<>();
    private long cursor;
    private volatile Table table = new Table(new long[0], new Mapping[0]);

    public AddressSpace() {
        long region = 1L + Math.floorMod(NEXT_REGION.getAndIncrement(), REGIONS);
        regionStart = region << REGION_SHIFT;
        regionEnd = (region + 1) << REGION_SHIFT;
        cursor = regionStart;
    }

    /**
     * Reserves addresses; recently freed ones are the last to come again, so that a stale pointer stays recognisable.
     *
     * @return the base, or 0 when no room is left
     */
    public synchronized long reserve(long bytes, long alignment) {
        if (bytes > regionEnd - regionStart - GUARD) {
            return 0;
        }
        long base = search(cursor, bytes, alignment);
        if (base == 0) {
            base = search(regionStart, bytes, alignment);
        }
        if (base != 0) {
            reservations.put(base, bytes);
            cursor = base + bytes + GUARD;
        }
        return base;
    }

    private long search(long from, long bytes, long alignment) {
        long candidate = from;
        while (true) {
            candidate = Math.floorDiv(candidate + alignment - 1, alignment) * alignment;
            if (candidate + bytes + GUARD > regionEnd) {
                return 0;
            }
            Map.Entry<Long, Long> before = reservations.lowerEntry(candidate + bytes + GUARD);
            if (before == null || before.getKey() + before.getValue() + GUARD <= candidate) {
                return candidate;
            }
            candidate = before.getKey() + before.getValue() + GUARD;
        }
    }

    /** False when {@code base} and {@code bytes} are not exactly a reservation, or something is mapped in it. */
    public synchronized boolean unreserve(long base, long bytes) {
        Long reserved = reservations.get(base);
        if (reserved == null || reserved != bytes || overlaps(base, bytes)) {
            return false;
        }
        reservations.remove(base);
        return true;
    }

    /** False when the range is not inside one reservation or overlaps another mapping. */
    public synchronized boolean map(Mapping mapping) {
        Map.Entry<Long, Long> around = reservations.floorEntry(mapping.base());
        if (around == null
                || mapping.end() > around.getKey() + around.getValue()
                || overlaps(mapping.base(), mapping.bytes())) {
            return false;
        }
        Table old = table;
        int at = -Arrays.binarySearch(old.bases, mapping.base()) - 1;
        int size = old.bases.length;
        long[] bases = Arrays.copyOf(old.bases, size + 1);
        Mapping[] mappings = Arrays.copyOf(old.mappings, size + 1);
        System.arraycopy(old.bases, at, bases, at + 1, size - at);
        System.arraycopy(old.mappings, at, mappings, at + 1, size - at);
        bases[at] = mapping.base();
        mappings[at] = mapping;
        table = new Table(bases, mappings);
        return true;
    }

    /** Removes the mapping that starts at {@code base}; null where none does. */
    public synchronized @Nullable Mapping unmap(long base) {
        Table old = table;
        int at = Arrays.binarySearch(old.bases, base);
        if (at < 0) {
            return null;
        }
        int size = old.bases.length;
        long[] bases = Arrays.copyOf(old.bases, size - 1);
        Mapping[] mappings = Arrays.copyOf(old.mappings, size - 1);
        System.arraycopy(old.bases, at + 1, bases, at, size - at - 1);
        System.arraycopy(old.mappings, at + 1, mappings, at, size - at - 1);
        table = new Table(bases, mappings);
        return old.mappings[at];
    }

    private boolean overlaps(long base, long bytes) {
        Table now = table;
        int index = Arrays.binarySearch(now.bases, base);
        if (index >= 0) {
            return true;
        }
        int next = -index - 1;
        return (next > 0 && now.mappings[next - 1].end() > base)
                || (next < now.bases.length && now.bases[next] < base + bytes);
    }

    /** The mapping that holds the address, or null. */
    public @Nullable Mapping find(long address) {
        return table.find(address);
    }

    /**
     * Resolves a range for a device. The caller is inside {@link Quiescence} until it has dropped the span.
     *
     * @throws IllegalAddressException when the range is longer than {@link #LARGEST_SPAN}, is not inside one mapping of
     *     memory, or the device has no access
     */
    public Span span(int device, long address, long bytes) {
        Mapping mapping = table.find(address);
        if (mapping == null
                || bytes > LARGEST_SPAN
                || !mapping.holds(address, bytes)
                || !mapping.access().allows(device)
                || !(mapping.memory() instanceof PhysicalMemory memory)) {
            throw new IllegalAddressException(address, bytes);
        }
        long offset = mapping.memoryOffset() + (address - mapping.base());
        MemoryWindow window = memory.window(offset);
        return new Span(window, memory.offsetInWindow(offset));
    }

    /**
     * Resolves a range of a mapped multicast object for a device's stores. The caller is inside {@link Quiescence} until it
     * has dropped the span.
     *
     * @throws IllegalAddressException as {@link #span} does, where no multicast object is mapped, and where some member has
     *     no memory bound
     */
    public void multicast(int device, long address, long bytes, MulticastSpan into) {
        Mapping mapping = table.find(address);
        if (mapping == null
                || bytes > LARGEST_SPAN
                || !mapping.holds(address, bytes)
                || !mapping.access().allows(device)
                || !(mapping.memory() instanceof MulticastObject object)) {
            throw new IllegalAddressException(address, bytes);
        }
        object.resolve(device, mapping.memoryOffset() + (address - mapping.base()), bytes, address, into);
    }

    /** Whether a device may touch the whole range now, however many mappings it crosses. */
    public boolean covers(int device, long address, long bytes) {
        Table now = table;
        long at = address;
        while (at - address < bytes) {
            Mapping mapping = now.find(at);
            if (mapping == null || !mapping.access().allows(device) || !(mapping.memory() instanceof PhysicalMemory)) {
                return false;
            }
            at = mapping.end();
        }
        return true;
    }

    /** How many of {@code bytes} bytes from {@code address} on one span can cover; at least 1. */
    public long reach(long address, long bytes) {
        Mapping mapping = table.find(address);
        long inside = mapping == null ? bytes : mapping.end() - address;
        return Math.max(1, Math.min(Math.min(bytes, LARGEST_SPAN), inside));
    }
}
