package io.tutti.gpu.host.memory;

import io.tutti.gpu.host.execution.MemoryWindow;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Physical memory of an emulated device: counted references, and windows such that any range of at most 1 GiB lies in
 * one of them. The last {@link #release()} hands the memory to its {@link MemorySource}'s way of freeing, through
 * {@link Quiescence}.
 */
public final class PhysicalMemory implements Backing {

    private static final int WINDOW_SHIFT = 30;

    private final MemoryOrigin origin;
    private final long bytes;
    private final MemoryWindow[] windows;
    private final int descriptor;
    private final Runnable free;
    private int references = 1;

    PhysicalMemory(MemoryOrigin origin, long bytes, MemoryWindow[] windows, int descriptor, Runnable free) {
        this.origin = origin;
        this.bytes = bytes;
        this.windows = windows;
        this.descriptor = descriptor;
        this.free = free;
    }

    /** Makes the view of {@code length} bytes from {@code offset} on. */
    interface Views {
        ByteBuffer view(long offset, int length);
    }

    static MemoryWindow[] windows(long bytes, Views views) {
        int count = Math.max(1, Math.toIntExact((bytes + (1L << WINDOW_SHIFT) - 1) >>> WINDOW_SHIFT));
        MemoryWindow[] windows = new MemoryWindow[count];
        for (int i = 0; i < count; i++) {
            long offset = (long) i << WINDOW_SHIFT;
            int length = Math.toIntExact(Math.min(bytes - offset, Integer.MAX_VALUE));
            windows[i] = new MemoryWindow(views.view(offset, length).order(ByteOrder.nativeOrder()));
        }
        return windows;
    }

    /** Which emulated device the memory belongs to. */
    @Override
    public MemoryOrigin origin() {
        return origin;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** The window for a range of at most 1 GiB that starts at {@code offset}. */
    public MemoryWindow window(long offset) {
        return windows[(int) (offset >>> WINDOW_SHIFT)];
    }

    /** Where {@code offset} is in its {@link #window}. */
    public int offsetInWindow(long offset) {
        return (int) (offset & ((1L << WINDOW_SHIFT) - 1));
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public synchronized PhysicalMemory retain() {
        if (references == 0) {
            throw new IllegalStateException("physical memory was already freed: " + origin);
        }
        references++;
        return this;
    }

    /**
     * The same memory for another driver of this JVM, with one reference of its own; empty once the last reference here is
     * gone. Nothing is mapped again, which would cost a page table for every pair of ranks.
     *
     * @param borrower of that driver, whose threads must have let go of the memory before it is given back
     */
    public synchronized Optional<PhysicalMemory> lend(Quiescence borrower) {
        if (references == 0) {
            return Optional.empty();
        }
        references++;
        return Optional.of(
                new PhysicalMemory(origin, bytes, windows, descriptor, () -> borrower.retire(this::release)));
    }

    @Override
    public void release() {
        synchronized (this) {
            if (--references > 0) {
                return;
            }
        }
        free.run();
    }
}
