package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A dense tensor in device memory as 32-bit words. One resolved span where the tensor is at most 1 GiB, otherwise one per
 * access.
 */
final class TensorWindow {

    private static final long MAX_SPAN = 1L << 30;

    private @Nullable KernelMemory memory;
    private @Nullable MemoryWindow whole;
    private int wholeWords;
    private long address;

    /** Turns to a tensor of {@code bytes} bytes. */
    void open(KernelMemory kernelMemory, long devicePointer, long bytes) {
        memory = kernelMemory;
        address = devicePointer;
        if (bytes <= MAX_SPAN) {
            Span span = kernelMemory.span(devicePointer, bytes);
            whole = span.window();
            wholeWords = span.offset() / Integer.BYTES;
        } else {
            whole = null;
        }
    }

    /** Copies words out of the tensor, from word {@code index} of it. */
    void read(long index, int[] words, int to, int count) {
        MemoryWindow window = whole;
        if (window != null) {
            window.ints().get(wholeWords + (int) index, words, to, count);
        } else {
            Span span = part(index, count);
            span.window().ints().get(span.offset() / Integer.BYTES, words, to, count);
        }
    }

    /** Copies words into the tensor, from word {@code index} of it. */
    void write(long index, int[] words, int from, int count) {
        MemoryWindow window = whole;
        if (window != null) {
            window.ints().put(wholeWords + (int) index, words, from, count);
        } else {
            Span span = part(index, count);
            span.window().ints().put(span.offset() / Integer.BYTES, words, from, count);
        }
    }

    /** {@link #read(long, int[], int, int)} for fp32. */
    void read(long index, float[] values, int to, int count) {
        MemoryWindow window = whole;
        if (window != null) {
            window.floats().get(wholeWords + (int) index, values, to, count);
        } else {
            Span span = part(index, count);
            span.window().floats().get(span.offset() / Integer.BYTES, values, to, count);
        }
    }

    /** {@link #write(long, int[], int, int)} for fp32. */
    void write(long index, float[] values, int from, int count) {
        MemoryWindow window = whole;
        if (window != null) {
            window.floats().put(wholeWords + (int) index, values, from, count);
        } else {
            Span span = part(index, count);
            span.window().floats().put(span.offset() / Integer.BYTES, values, from, count);
        }
    }

    private Span part(long index, int count) {
        return Objects.requireNonNull(memory).span(address + index * Integer.BYTES, (long) count * Integer.BYTES);
    }
}
