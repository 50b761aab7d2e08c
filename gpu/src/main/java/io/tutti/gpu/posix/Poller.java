package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import java.io.IOException;
import java.util.Arrays;

/**
 * Waits until one of many descriptors is ready, or until another thread wakes it. {@link #wake} may be called from any
 * thread; everything else belongs to one.
 */
public final class Poller implements AutoCloseable {

    public static final int READABLE = 1;
    public static final int WRITABLE = 4;

    private static final int ENTRY_BYTES = 8;
    private static final int EVENTS = 4;
    private static final int RETURNED = 6;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Object wakeLock = new Object();
    private int wakeFd; // guarded by wakeLock
    private Memory entries = new Memory(ENTRY_BYTES);
    private int count;
    private int[] watched = {};

    public Poller() throws IOException {
        SocketCalls.require();
        try {
            wakeFd = SocketCalls.eventfd(0, SocketCalls.EFD_CLOEXEC | SocketCalls.EFD_NONBLOCK);
        } catch (LastErrorException e) {
            throw SocketCalls.failed("eventfd", "none", e);
        }
        entries.setInt(0, wakeFd);
        entries.setInt(EVENTS, READABLE);
    }

    /** Sets the descriptors to wait for being readable; {@link #isReady} counts in the same order. */
    public void watch(int[] descriptors) {
        if (Arrays.equals(watched, descriptors)) {
            return;
        }
        watched = descriptors.clone();
        count = descriptors.length;
        Memory next = new Memory((count + 1L) * ENTRY_BYTES);
        for (int i = 0; i <= count; i++) {
            next.setInt((long) i * ENTRY_BYTES, i < count ? descriptors[i] : wakeFd);
            next.setInt((long) i * ENTRY_BYTES + EVENTS, READABLE);
        }
        entries.close();
        entries = next;
    }

    /**
     * Waits, at most until the deadline.
     *
     * @param deadlineNanos on {@link System#nanoTime}'s scale
     */
    public void await(long deadlineNanos) throws IOException {
        poll(entries, count + 1, deadlineNanos);
        if (isReady(count)) {
            try (Memory value = new Memory(Long.BYTES)) {
                SocketCalls.eventfd_read(wakeFd, value);
            } catch (LastErrorException e) {
                if (e.getErrorCode() != SocketCalls.EAGAIN && e.getErrorCode() != LibC.EINTR) {
                    throw SocketCalls.failed("eventfd_read", wakeFd, e);
                }
            }
        }
    }

    /** Whether the last {@link #await} found the descriptor readable, closed by its peer, or broken. */
    public boolean isReady(int index) {
        return entries.getShort((long) index * ENTRY_BYTES + RETURNED) != 0;
    }

    /** Ends the current or next {@link #await}; nothing after {@link #close}. */
    public void wake() {
        synchronized (wakeLock) {
            if (wakeFd >= 0) {
                try {
                    SocketCalls.eventfd_write(wakeFd, 1);
                } catch (LastErrorException e) {
                    // Only a full counter can refuse, and then the wake-up is there already.
                }
            }
        }
    }

    /** Waits for one descriptor; false at the deadline. */
    static boolean await(int fd, int events, long deadlineNanos) throws IOException {
        try (Memory entry = new Memory(ENTRY_BYTES)) {
            entry.setInt(0, fd);
            entry.setInt(EVENTS, events);
            return poll(entry, 1, deadlineNanos);
        }
    }

    private static boolean poll(Memory entries, int count, long deadlineNanos) throws IOException {
        while (true) {
            long left = deadlineNanos - System.nanoTime();
            // Rounded up, or the last fraction of a millisecond would be spent spinning.
            long millis = Math.max(0, Math.min(Integer.MAX_VALUE, (left + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI));
            try {
                return SocketCalls.poll(entries, count, (int) millis) > 0;
            } catch (LastErrorException e) {
                if (e.getErrorCode() != LibC.EINTR) {
                    throw SocketCalls.failed("poll", count, e);
                }
            }
        }
    }

    @Override
    public void close() {
        synchronized (wakeLock) {
            if (wakeFd >= 0) {
                Descriptors.close(wakeFd);
                wakeFd = -1;
                entries.close();
            }
        }
    }
}
