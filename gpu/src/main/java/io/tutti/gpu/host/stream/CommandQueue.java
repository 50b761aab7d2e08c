package io.tutti.gpu.host.stream;

import org.jspecify.annotations.Nullable;

/**
 * A stream's queue: producers take turns under the stream's lock, one consumer takes no lock. It is a chain of rings;
 * a full ring gets a successor twice as large, so a launch never waits and the steady state allocates nothing.
 */
final class CommandQueue {

    private static final int FIRST_RING = 64;

    private static final class Ring {
        final @Nullable Command[] slots;
        /** Written by producers, published by {@link CommandQueue#published}. */
        long written;

        volatile long read;
        /** Set before the first publication into it. */
        @Nullable
        Ring next;

        Ring(int size) {
            slots = new Command[size];
        }
    }

    private Ring tail = new Ring(FIRST_RING);
    private Ring head = tail;
    private volatile long published;
    private volatile long completed;

    /** Producers: the entry to fill, which {@link #publish} then makes visible. */
    Command claim() {
        if (tail.written - tail.read == tail.slots.length) {
            Ring larger = new Ring(tail.slots.length * 2);
            tail.next = larger;
            tail = larger;
        }
        int index = (int) (tail.written & (tail.slots.length - 1));
        Command command = tail.slots[index];
        if (command == null) {
            command = new Command();
            tail.slots[index] = command;
        }
        return command;
    }

    /** Producers: makes the claimed entry visible. */
    void publish() {
        tail.written++;
        published = published + 1;
    }

    /** Consumer: the oldest entry, which stays until {@link #done}; null when there is none. */
    @Nullable
    Command peek() {
        if (completed == published) {
            return null;
        }
        while (head.read == head.written && head.next != null) {
            head = head.next;
        }
        return head.slots[(int) (head.read & (head.slots.length - 1))];
    }

    /** Consumer: the peeked entry has run and may be used again. */
    void done() {
        head.read = head.read + 1;
        completed = completed + 1;
    }

    boolean isEmpty() {
        return completed == published;
    }

    /** How many entries were ever published. */
    long published() {
        return published;
    }

    /** How many entries have run. */
    long completed() {
        return completed;
    }
}
