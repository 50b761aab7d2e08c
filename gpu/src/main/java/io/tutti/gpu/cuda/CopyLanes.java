package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaFlags;
import io.tutti.gpu.driver.CuResult;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One stream per context for copies between host and device that are complete when the call returns. The plain {@code
 * cuMemcpy} calls run in the legacy default stream: they wait for a user's blocking streams, and from ordinary memory they
 * return before the device has the bytes, which a kernel on a non-blocking stream would notice.
 */
final class CopyLanes {

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Session session;
    private final Map<Integer, Long> contexts = new HashMap<>(); // by ordinal, guarded by this
    private final Map<Long, Long> streams = new HashMap<>(); // by context, guarded by this

    CopyLanes(Session session) {
        this.session = session;
    }

    synchronized void know(int ordinal, long context) {
        contexts.put(ordinal, context);
    }

    /** The lane of the calling thread's context. */
    synchronized long current(String call) {
        long[] context = new long[1];
        session.check("cuCtxGetCurrent", session.calls().cuCtxGetCurrent(context), () -> "for=" + call);
        if (context[0] == 0) {
            throw Session.failure(call, CuResult.CUDA_ERROR_INVALID_CONTEXT.code(), "current=none");
        }
        Long known = streams.get(context[0]);
        if (known != null) {
            return known;
        }
        long[] stream = new long[1];
        session.checkRelaxed(
                "cuStreamCreate",
                () -> session.calls().cuStreamCreate(stream, CudaFlags.STREAM_NON_BLOCKING),
                () -> "for=" + call);
        streams.put(context[0], stream[0]);
        return stream[0];
    }

    /** Waits until everything in the lane is done. */
    void await(String call, long lane) {
        if (!StreamWait.await(session, call, lane, PATIENCE_NANOS)) {
            throw Session.failure(
                    call,
                    CuResult.CUDA_ERROR_NOT_READY.code(),
                    "waitedMillis=" + TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
        }
    }

    /** The context is about to go. */
    synchronized void close(int ordinal) {
        Long context = contexts.remove(ordinal);
        Long stream = context == null ? null : streams.remove(context);
        if (stream != null) {
            // Where the context is lost the stream went with it; the release that follows reports that.
            session.relaxed(() -> session.calls().cuStreamDestroy(stream));
        }
    }
}
