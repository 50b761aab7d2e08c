package io.tutti.gpu.host.memory;

import io.tutti.gpu.host.execution.Span;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/** Copies and fills between device ranges and host buffers, however many mappings a range crosses. */
public final class Copies {

    private static final int FILL_SEED_WORDS = 1024;

    private final AddressSpace space;

    public Copies(AddressSpace space) {
        this.space = space;
    }

    /** Copies the source's remaining bytes; its position does not move. */
    public void toDevice(int device, long destination, ByteBuffer source) {
        int position = source.position();
        long left = source.remaining();
        long at = destination;
        while (left > 0) {
            int step = (int) space.reach(at, left);
            Span span = space.span(device, at, step);
            span.window().bytes().put(span.offset(), source, position, step);
            position += step;
            at += step;
            left -= step;
        }
    }

    /** Fills the destination's remaining bytes; its position does not move. */
    public void toHost(int device, ByteBuffer destination, long source) {
        int position = destination.position();
        long left = destination.remaining();
        long at = source;
        while (left > 0) {
            int step = (int) space.reach(at, left);
            Span span = space.span(device, at, step);
            destination.put(position, span.window().bytes(), span.offset(), step);
            position += step;
            at += step;
            left -= step;
        }
    }

    public void onDevice(int device, long destination, long source, long bytes) {
        long left = bytes;
        long to = destination;
        long from = source;
        while (left > 0) {
            int step = (int) Math.min(space.reach(to, left), space.reach(from, left));
            Span target = space.span(device, to, step);
            Span origin = space.span(device, from, step);
            target.window().bytes().put(target.offset(), origin.window().bytes(), origin.offset(), step);
            to += step;
            from += step;
            left -= step;
        }
    }

    /** Stores {@code count} 32-bit words from a 4-byte-aligned address on. */
    public void fill(int device, long destination, int value, long count) {
        long left = count * Integer.BYTES;
        long at = destination;
        while (left > 0) {
            int step = (int) space.reach(at, left);
            Span span = space.span(device, at, step);
            fill(span.window().ints(), span.offset() / Integer.BYTES, value, step / Integer.BYTES);
            at += step;
            left -= step;
        }
    }

    /** Writes a short run word by word and doubles it, which is many times faster than single words. */
    private static void fill(IntBuffer words, int from, int value, int count) {
        int done = Math.min(count, FILL_SEED_WORDS);
        for (int i = 0; i < done; i++) {
            words.put(from + i, value);
        }
        IntBuffer source = words.duplicate();
        while (done < count) {
            int step = Math.min(done, count - done);
            words.put(from + done, source, from, step);
            done += step;
        }
    }
}
