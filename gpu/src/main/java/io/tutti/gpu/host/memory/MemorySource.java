package io.tutti.gpu.host.memory;

import io.tutti.gpu.posix.LibC;
import io.tutti.gpu.posix.MemoryLimits;
import io.tutti.gpu.posix.SharedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where physical memory comes from. Shared memory is the rule; direct buffers serve one process on a machine without
 * memfd, with allocations below 2 GiB.
 */
public sealed interface MemorySource {

    /**
     * Zeroed memory with one reference.
     *
     * @param freed runs when the last reference is given back
     */
    PhysicalMemory allocate(MemoryOrigin origin, long bytes, Quiescence quiescence, Runnable freed)
            throws OutOfHostMemory;

    /** Whether the memory has descriptors that other processes can map. */
    boolean shareable();

    /** Shared memory where the platform has it, else direct buffers. */
    static MemorySource best() {
        return LibC.unavailable() == null ? shared() : buffers();
    }

    static MemorySource shared() {
        return new Shared(MemoryLimits.system());
    }

    static MemorySource buffers() {
        return new Buffers();
    }

    /** The machine, not the emulated device, has no memory for an allocation; the message carries the figures. */
    final class OutOfHostMemory extends Exception {
        private static final long serialVersionUID = 1L;

        public OutOfHostMemory(String message) {
            super(message);
        }
    }

    /** One sealed memfd for each allocation, after a look at what the machine and its control groups still allow. */
    final class Shared implements MemorySource {

        private static final long FRESH_NANOS = 50_000_000;
        /** Only allocations small against what was left are granted without looking again. */
        private static final long SMALL_SHARE = 16;

        private final MemoryLimits limits;
        private long left;
        private long lookedAt;

        Shared(MemoryLimits limits) {
            this.limits = limits;
        }

        @Override
        public PhysicalMemory allocate(MemoryOrigin origin, long bytes, Quiescence quiescence, Runnable freed)
                throws OutOfHostMemory {
            checkLimits(bytes);
            try {
                return wrap(origin, SharedMemory.create(origin.fileName(), bytes), quiescence, freed);
            } catch (IOException e) {
                throw new OutOfHostMemory(
                        e.getMessage() + " " + limits.available().describe());
            }
        }

        private synchronized void checkLimits(long bytes) throws OutOfHostMemory {
            long now = System.nanoTime();
            if (bytes > left / SMALL_SHARE || now - lookedAt > FRESH_NANOS) {
                MemoryLimits.Available available = limits.available();
                left = available.bytes();
                lookedAt = now;
                if (bytes > left) {
                    throw new OutOfHostMemory("bytes=" + bytes + " " + available.describe());
                }
            }
            left -= bytes;
        }

        @Override
        public boolean shareable() {
            return true;
        }
    }

    /** Memory behind a descriptor of another process or driver, with one reference. */
    static PhysicalMemory wrap(MemoryOrigin origin, SharedMemory memory, Quiescence quiescence, Runnable freed) {
        return new PhysicalMemory(
                origin, memory.bytes(), PhysicalMemory.windows(memory.bytes(), memory::view), memory.fd(), () -> {
                    freed.run();
                    quiescence.retire(memory::unmap);
                });
    }

    /** Direct buffers, freed by the garbage collector. */
    record Buffers() implements MemorySource {

        private static final int PAGE = 4096;
        private static final int LARGEST = Integer.MAX_VALUE - 2 * PAGE;

        @Override
        public PhysicalMemory allocate(MemoryOrigin origin, long bytes, Quiescence quiescence, Runnable freed)
                throws OutOfHostMemory {
            if (bytes > LARGEST) {
                throw new OutOfHostMemory("bytes=" + bytes + " largest=" + LARGEST + " without shared memory");
            }
            try {
                // An aligned slice loses what is left of the last page, so the size goes up to whole pages first.
                int wholePages = ((int) bytes + PAGE - 1) / PAGE * PAGE;
                ByteBuffer aligned =
                        ByteBuffer.allocateDirect(wholePages + PAGE).alignedSlice(PAGE);
                return new PhysicalMemory(
                        origin,
                        bytes,
                        PhysicalMemory.windows(bytes, (offset, length) -> aligned.slice((int) offset, length)),
                        -1,
                        freed);
            } catch (OutOfMemoryError e) {
                throw new OutOfHostMemory("bytes=" + bytes + " directMemory=exhausted");
            }
        }

        @Override
        public boolean shareable() {
            return false;
        }
    }
}
