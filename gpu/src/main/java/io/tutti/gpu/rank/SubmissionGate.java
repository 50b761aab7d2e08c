package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import org.jspecify.annotations.Nullable;

/** Whether calls may be submitted now, and to which epoch. Safe for any thread; never waits. */
final class SubmissionGate {

    /**
     * A committed epoch.
     *
     * @param path what carries its calls
     * @param calls those that have not succeeded
     */
    record Open(PathEpoch path, EpochCalls calls) {

        EpochId epoch() {
            return path.epoch();
        }
    }

    private @Nullable Open open;
    private ErrorInfo reason = ErrorInfo.of(
            ErrorCode.STALE, "no epoch is committed", "Submit after the communicator has formed an epoch.");
    private long abortedEpoch;

    /**
     * Lets calls into an epoch.
     *
     * @throws TuttiException with the abort's own cause when it was aborted before
     */
    synchronized void enter(Open epoch) {
        if (epoch.epoch().epoch() <= abortedEpoch) {
            throw new TuttiException(reason);
        }
        open = epoch;
    }

    /** Refuses calls to this epoch and all before it, with a cause. */
    synchronized void abort(long epoch, ErrorInfo cause) {
        if (epoch > abortedEpoch) {
            abortedEpoch = epoch;
            if (open == null || open.epoch().epoch() <= epoch) {
                open = null;
                reason = cause;
            }
        }
    }

    /** Refuses calls from now on. */
    synchronized void shut(ErrorInfo cause) {
        open = null;
        reason = cause;
    }

    /**
     * The committed epoch.
     *
     * @throws TuttiException when there is none
     */
    synchronized Open require() {
        if (open == null) {
            throw new TuttiException(reason);
        }
        return open;
    }

    synchronized boolean isOpenFor(EpochId epoch) {
        return open != null && open.epoch().equals(epoch);
    }
}
