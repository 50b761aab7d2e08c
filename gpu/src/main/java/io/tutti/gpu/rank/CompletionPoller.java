package io.tutti.gpu.rank;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a process that reads status records and completes futures. It spins briefly, then yields, then parks
 * for short times while kernels are in flight, and parks until woken when none are. Now and then it asks each driver for
 * sticky errors, which leave no record.
 */
final class CompletionPoller {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionPoller.class);
    private static final CompletionPoller SHARED = new CompletionPoller();

    private static final int SPINS = 64;
    private static final int YIELDS = 400;
    private static final long PARK_NANOS = 50_000;

    /** Whoever has waited long can wait a little longer: each look takes a processor from the kernels of this machine. */
    private static final int PARK_SHARE = 16;

    private static final long LONGEST_PARK_NANOS = 1_000_000;
    private static final long PROBE_EVERY_NANOS = 2_000_000;

    private final List<LaunchLane> lanes = new CopyOnWriteArrayList<>();
    private volatile boolean asleep;
    private volatile @Nullable Thread thread;

    private CompletionPoller() {}

    static CompletionPoller shared() {
        return SHARED;
    }

    synchronized void add(LaunchLane lane) {
        lanes.add(lane);
        if (thread == null) {
            Thread created = new Thread(this::run, "tutti-completions");
            created.setDaemon(true);
            thread = created;
            created.start();
        }
    }

    synchronized void remove(LaunchLane lane) {
        lanes.remove(lane);
        Thread last = thread;
        if (lanes.isEmpty() && last != null) {
            thread = null;
            LockSupport.unpark(last);
        }
    }

    /** Kernels have been launched. */
    void wake() {
        if (asleep) {
            Thread current = thread;
            if (current != null) {
                LockSupport.unpark(current);
            }
        }
    }

    private void run() {
        int idleRounds = 0;
        long lastProbe = System.nanoTime();
        long idleSince = lastProbe;
        while (Thread.currentThread() == thread) {
            boolean progress = false;
            boolean inFlight = false;
            for (LaunchLane lane : lanes) {
                progress |= poll(lane);
                inFlight |= !lane.idle();
            }
            long now = System.nanoTime();
            if (progress) {
                idleRounds = 0;
                idleSince = now;
                continue;
            }
            if (inFlight && now - lastProbe > PROBE_EVERY_NANOS) {
                lanes.forEach(LaunchLane::probe);
                lastProbe = now;
            }
            if (idleRounds < YIELDS) {
                pause(idleRounds++);
            } else if (inFlight) {
                LockSupport.parkNanos(
                        Math.min(LONGEST_PARK_NANOS, Math.max(PARK_NANOS, (now - idleSince) / PARK_SHARE)));
            } else {
                sleep();
                idleRounds = 0;
                idleSince = System.nanoTime();
            }
        }
    }

    private static void pause(int idleRounds) {
        if (idleRounds < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    private void sleep() {
        asleep = true;
        // A launch between the last look and the line above is seen here; a later one sees the flag.
        if (lanes.stream().allMatch(LaunchLane::idle) && Thread.currentThread() == thread) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    private static boolean poll(LaunchLane lane) {
        try {
            return lane.poll();
        } catch (RuntimeException e) {
            // A listener's mistake must not end the thread that everybody waits for.
            LOG.error("a completion callback failed", e);
            return true;
        }
    }
}
