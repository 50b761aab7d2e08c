package io.tutti.gpu.host.stream;

import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits for another: it spins while there is a core for everybody, then yields, and parks only when long
 * idle, since an unpark costs tens of microseconds and a spinning thread costs its peers their core.
 */
final class Backoff {

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int SPINS_WITH_CORES_FREE = 256;
    private static final int SPINS_WITH_CORES_SHORT = 4;
    private static final int YIELDS = 8192;
    private static final long PARK_NANOS = 50_000;

    private Backoff() {}

    /** @param busyThreads how many threads would like to run */
    static int spins(int busyThreads) {
        return busyThreads <= CORES ? SPINS_WITH_CORES_FREE : SPINS_WITH_CORES_SHORT;
    }

    /**
     * One step.
     *
     * @param round how many steps this wait has taken
     * @param spins how many of them only spin
     */
    static void step(int round, int spins) {
        if (round < spins) {
            Thread.onSpinWait();
        } else if (round < spins + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
