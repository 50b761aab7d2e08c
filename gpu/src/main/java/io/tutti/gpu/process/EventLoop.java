package io.tutti.gpu.process;

import io.tutti.gpu.posix.Poller;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One daemon thread that waits for many sockets at once, so that a silent one costs nobody anything. Sources are added,
 * removed and called on that thread only; {@link #execute} brings work onto it.
 */
final class EventLoop {

    /** One socket. The loop closes nothing; {@link #broken} is the source's chance to. */
    interface Source {

        /** What to wait for; −1 for nothing but the deadline. */
        int descriptor();

        /** On {@link EventLoop#now}'s scale, or {@link #NO_DEADLINE}. */
        long deadline();

        /** The socket has something to read, or has ended. */
        void ready() throws IOException;

        /** The deadline has passed. */
        void expired() throws IOException;

        /** {@link #ready} or {@link #expired} threw. The source has been removed. */
        void broken(Exception cause);
    }

    static final long NO_DEADLINE = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long STACK_BYTES = 256 * 1024;

    private final long origin = System.nanoTime();
    private final Poller poller;
    private final Runnable atEnd;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<Source> sources = new LinkedHashSet<>();
    private volatile boolean closing;
    private boolean ended; // guarded by tasks

    /**
     * @param name the thread's
     * @param atEnd runs last on the thread, to close what is open
     */
    EventLoop(String name, Runnable atEnd) throws IOException {
        this.poller = new Poller();
        this.atEnd = atEnd;
        this.thread = new Thread(null, this::run, name, STACK_BYTES);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Nanoseconds since the loop was made. */
    long now() {
        return System.nanoTime() - origin;
    }

    boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /**
     * Runs a task on the loop's thread, soon; every task that is taken is run, also when the loop ends.
     *
     * @return false when the loop has ended
     */
    boolean execute(Runnable task) {
        synchronized (tasks) {
            if (ended) {
                return false;
            }
            tasks.add(task);
        }
        poller.wake();
        return true;
    }

    /** Runs a task on the loop's thread and waits for it; false when it did not end in time. */
    boolean executeAndWait(Runnable task, long timeoutNanos) {
        if (isOwnThread()) {
            task.run();
            return true;
        }
        CountDownLatch done = new CountDownLatch(1);
        boolean queued = execute(() -> {
            task.run();
            done.countDown();
        });
        if (queued) {
            uninterrupted(timeoutNanos, left -> done.await(left, TimeUnit.NANOSECONDS));
        }
        return done.getCount() == 0;
    }

    void add(Source source) {
        sources.add(source);
    }

    void remove(Source source) {
        sources.remove(source);
    }

    private void run() {
        try {
            List<Source> watched = List.of();
            while (!closing) {
                runTasks();
                List<Source> current = new ArrayList<>(sources);
                int[] descriptors =
                        current.stream().mapToInt(Source::descriptor).toArray();
                poller.watch(descriptors);
                watched = current;
                poller.await(origin + nextDeadline(current));
                for (int i = 0; i < watched.size(); i++) {
                    if (poller.isReady(i)) {
                        call(watched.get(i), Source::ready);
                    }
                }
                long now = now();
                for (Source source : watched) {
                    if (source.deadline() <= now) {
                        call(source, Source::expired);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("{} ends, since it cannot wait for its sockets", thread.getName(), e);
        } finally {
            synchronized (tasks) {
                ended = true;
            }
            runTasks();
            atEnd.run();
            poller.close();
        }
    }

    private interface Call {
        void on(Source source) throws IOException;
    }

    private void call(Source source, Call call) {
        // One of the sources called before may have removed it.
        if (!sources.contains(source)) {
            return;
        }
        try {
            call.on(source);
        } catch (IOException | RuntimeException e) {
            sources.remove(source);
            source.broken(e);
        }
    }

    private long nextDeadline(List<Source> current) {
        long next = now() + IDLE_NANOS;
        for (Source source : current) {
            next = Math.min(next, source.deadline());
        }
        return next;
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("{}: a task failed", thread.getName(), e);
            }
        }
    }

    /** Ends the thread; false when it did not end in time. Idempotent. */
    boolean close(long timeoutNanos) {
        closing = true;
        poller.wake();
        if (!isOwnThread()) {
            uninterrupted(timeoutNanos, left -> TimeUnit.NANOSECONDS.timedJoin(thread, left));
        }
        return isOwnThread() || !thread.isAlive();
    }

    private interface Wait {
        void await(long nanos) throws InterruptedException;
    }

    /** Waits as long as told in spite of interrupts, which are kept for the caller. */
    private static void uninterrupted(long timeoutNanos, Wait wait) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + timeoutNanos;
        while (true) {
            try {
                wait.await(deadline - System.nanoTime());
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
