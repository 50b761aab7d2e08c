package io.tutti.gpu.host.memory;

import java.util.Map;
import java.util.TreeMap;

/**
 * One piece of physical memory that small plain allocations share, first fit, in pieces of 256 bytes. Not thread-safe: its
 * heap holds the lock.
 */
final class Slab {

    static final int PIECE = 256;

    final PhysicalMemory memory;
    final long base;
    private final TreeMap<Long, Long> free = new TreeMap<>();

    Slab(PhysicalMemory memory, long base) {
        this.memory = memory;
        this.base = base;
        free.put(0L, memory.bytes());
    }

    static long rounded(long bytes) {
        return (bytes + PIECE - 1) / PIECE * PIECE;
    }

    /** The offset of a free stretch of {@code rounded} bytes, now taken, or −1. */
    long take(long rounded) {
        for (Map.Entry<Long, Long> stretch : free.entrySet()) {
            long length = stretch.getValue();
            if (length >= rounded) {
                long offset = stretch.getKey();
                free.remove(offset);
                if (length > rounded) {
                    free.put(offset + rounded, length - rounded);
                }
                return offset;
            }
        }
        return -1;
    }

    void giveBack(long offset, long rounded) {
        long start = offset;
        long length = rounded;
        Map.Entry<Long, Long> before = free.lowerEntry(offset);
        if (before != null && before.getKey() + before.getValue() == offset) {
            start = before.getKey();
            length += before.getValue();
        }
        Long after = free.remove(offset + rounded);
        if (after != null) {
            length += after;
        }
        free.put(start, length);
    }

    boolean isEmpty() {
        return free.size() == 1 && free.firstEntry().getValue() == memory.bytes();
    }
}
