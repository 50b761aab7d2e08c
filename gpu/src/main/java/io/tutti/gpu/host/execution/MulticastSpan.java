package io.tutti.gpu.host.execution;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resolved multicast address: one store to it is a store to the same place of every member's memory. There is nothing to
 * load, as the members may differ. Reused from call to call and confined to one thread. Offsets count from the address that
 * was asked for.
 */
public final class MulticastSpan {

    private @Nullable MemoryWindow[] windows = new MemoryWindow[8];
    private int[] offsets = new int[8];
    private int count;

    /** Forgets every member's memory. */
    public void clear() {
        Arrays.fill(windows, null);
        count = 0;
    }

    /** Adds the memory of one member. */
    public void add(MemoryWindow window, int offset) {
        if (count == windows.length) {
            windows = Arrays.copyOf(windows, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        windows[count] = window;
        offsets[count++] = offset;
    }

    /** Stores words at a 32-bit word's offset. */
    public void put(int word, int[] words, int from, int length) {
        for (int member = 0; member < count; member++) {
            window(member).ints().put(offsets[member] / Integer.BYTES + word, words, from, length);
        }
    }

    /** Stores fp32 values at a 32-bit word's offset. */
    public void put(int word, float[] values, int from, int length) {
        for (int member = 0; member < count; member++) {
            window(member).floats().put(offsets[member] / Integer.BYTES + word, values, from, length);
        }
    }

    /** Stores an aligned word behind everything that was stored before. */
    public void setRelease(int offset, int word) {
        for (int member = 0; member < count; member++) {
            MemoryWindow.INT.setRelease(window(member).bytes(), offsets[member] + offset, word);
        }
    }

    /** {@link #setRelease(int, int)} of 64 bits. */
    public void setRelease(int offset, long word) {
        for (int member = 0; member < count; member++) {
            MemoryWindow.LONG.setRelease(window(member).bytes(), offsets[member] + offset, word);
        }
    }

    private MemoryWindow window(int member) {
        return Objects.requireNonNull(windows[member]);
    }
}
