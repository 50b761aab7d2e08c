package io.tutti.gpu.cuda;

import io.tutti.gpu.driver.CuResult;
import java.util.concurrent.locks.LockSupport;

/**
 * Waiting for a stream by asking, since {@code cuStreamSynchronize} knows no deadline: asks at once, then between yields,
 * then between ever longer pauses.
 */
final class StreamWait {

    private static final int EAGER = 200;
    private static final long SHORTEST_NANOS = 20_000;
    private static final long LONGEST_NANOS = 500_000;

    private StreamWait() {}

    static boolean isDone(Session session, String call, long stream) {
        int code = session.relaxed(() -> session.calls().cuStreamQuery(stream));
        if (code == CuResult.CUDA_ERROR_NOT_READY.code()) {
            return false;
        }
        session.check(call, code, () -> Session.hex("stream", stream));
        return true;
    }

    /** False when the time ran out first. */
    static boolean await(Session session, String call, long stream, long timeoutNanos) {
        long start = System.nanoTime();
        long pause = SHORTEST_NANOS;
        for (int round = 0; !isDone(session, call, stream); round++) {
            long left = timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                return false;
            }
            if (round < EAGER) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(Math.min(pause, left));
                pause = Math.min(2 * pause, LONGEST_NANOS);
            }
        }
        return true;
    }
}
