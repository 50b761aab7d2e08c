package io.tutti.gpu.rank;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The order of one rank's kernels: every kernel that is handed to the rank's stream has a number, its status record lies
 * at that number, and whoever waits for it stands in the same order. Launching threads hold {@link #lock}; the completion
 * thread reads the records.
 */
final class LaunchLane {

    private record Entry(long first, int count, Pending pending) {}

    private static final long BACKPRESSURE_PARK_NANOS = 50_000;

    private final Driver driver;
    private final CuContext context;
    private final CuStream stream;
    private final StatusRing ring;
    private final CompletionPoller poller;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long launched;
    private @Nullable ErrorInfo miscounted;
    private volatile long retired; // records that were read; written with the monitor of entries held
    private volatile long told; // of these, outcomes that were passed on
    private volatile @Nullable ErrorInfo deviceError;

    LaunchLane(Driver driver, CuContext context, CuStream stream, StatusRing ring, CompletionPoller poller) {
        this.driver = driver;
        this.context = context;
        this.stream = stream;
        this.ring = ring;
        this.poller = poller;
    }

    /** Held from reserving numbers until the last of their kernels has been handed to the stream. */
    ReentrantLock lock() {
        return lock;
    }

    /**
     * Takes the next {@code count} numbers for {@code pending}. Call with the lock held.
     *
     * @return the first of them
     * @throws TuttiException when the device has failed, or kernels have run that were never counted here
     */
    long reserve(int count, Pending pending) {
        requireHealthy();
        requireCounted();
        long first = launched;
        synchronized (entries) {
            entries.addLast(new Entry(first, count, pending));
        }
        launched += count;
        poller.wake();
        return first;
    }

    /**
     * Waits until the record of kernel {@code number} is free to be written. Call with the lock held, before its launch.
     *
     * @throws TuttiException when the device has failed, or the ring did not drain in time
     */
    void awaitRecord(long number, long timeoutNanos) {
        if (number - retired < StatusRing.RECORDS) {
            return;
        }
        long start = System.nanoTime();
        while (number - retired >= StatusRing.RECORDS) {
            requireHealthy();
            if (System.nanoTime() - start > timeoutNanos) {
                throw new TuttiException(ErrorInfo.of(
                        ErrorCode.TIMEOUT,
                        "the stream does not drain: kernel=" + number + " retired=" + retired,
                        "Submit less ahead of completion."));
            }
            LockSupport.parkNanos(BACKPRESSURE_PARK_NANOS);
        }
    }

    /** Gives back the last numbers of the last reservation, whose kernels were never handed over. Lock held. */
    void shorten(int unlaunched) {
        launched -= unlaunched;
        synchronized (entries) {
            Entry last = Objects.requireNonNull(entries.pollLast());
            if (retired < last.first() + last.count() - unlaunched) {
                entries.addLast(new Entry(last.first(), last.count() - unlaunched, last.pending()));
            }
        }
    }

    /** Whether every kernel has left and its outcome has been passed on. */
    boolean idle() {
        synchronized (entries) {
            return entries.isEmpty() && told == retired;
        }
    }

    /**
     * Passes on the outcomes that are there; on the completion thread only.
     *
     * @return whether the last of somebody's kernels was among them; those before it are no reason to hurry
     */
    boolean poll() {
        boolean ended = false;
        while (true) {
            Entry entry;
            LaunchOutcome outcome;
            int index;
            synchronized (entries) {
                entry = entries.peekFirst();
                outcome = entry == null ? null : ring.read(retired);
                if (entry == null || outcome == null) {
                    return ended;
                }
                index = (int) (retired - entry.first());
                retired++;
                if (index + 1 == entry.count()) {
                    entries.pollFirst();
                    ended = true;
                }
            }
            try {
                entry.pending().left(index, outcome);
            } finally {
                told = retired;
            }
        }
    }

    /** Asks the driver for a sticky error, unless somebody is launching or capturing; on the completion thread only. */
    void probe() {
        if (deviceError != null || !lock.tryLock()) {
            return;
        }
        try {
            driver.ctxSetCurrent(context);
            driver.streamQuery(stream);
        } catch (TuttiException e) {
            deviceError = e.info();
        } finally {
            lock.unlock();
        }
        ErrorInfo error = deviceError;
        if (error != null) {
            for (Entry entry = oldest(); entry != null; entry = oldest()) {
                entry.pending().deviceFailed(error);
                synchronized (entries) {
                    entries.remove(entry);
                }
            }
        }
    }

    private @Nullable Entry oldest() {
        synchronized (entries) {
            return entries.peekFirst();
        }
    }

    /** What broke the device, or null. */
    @Nullable
    ErrorInfo deviceError() {
        return deviceError;
    }

    /** A record under the next number is of somebody else's launch, and would be taken for that of the kernel to come. */
    private void requireCounted() {
        if (miscounted == null && ring.read(launched) != null) {
            miscounted = ErrorInfo.of(
                    ErrorCode.USAGE,
                    "kernels of a captured graph have run that this rank did not launch: kernel=" + launched,
                    "Go around every launch of such a graph with UserGraph.launch, and open the communicator again.");
        }
        if (miscounted != null) {
            throw new TuttiException(miscounted);
        }
    }

    private void requireHealthy() {
        ErrorInfo error = deviceError;
        if (error != null) {
            throw new TuttiException(error);
        }
    }
}
