package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.op.CallDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one epoch on one rank that have not succeeded yet, in order. Launching threads add, the completion thread
 * settles, and the rank's thread ends them all.
 */
final class EpochCalls {

    private final EpochId epoch;
    private final FailureListener listener;
    private final Set<PendingCalls> open = new LinkedHashSet<>();
    private long nextSequence = 1;
    private long retiredSequence;
    private boolean failed;

    EpochCalls(EpochId epoch, FailureListener listener) {
        this.epoch = epoch;
        this.listener = listener;
    }

    EpochId epoch() {
        return epoch;
    }

    /** Numbers the launches of {@code calls} and keeps it until it is settled. */
    synchronized void add(PendingCalls calls) {
        calls.number(nextSequence);
        nextSequence += calls.launches();
        open.add(calls);
    }

    /** Takes back what {@link #add} numbered last, of which only {@code launched} launches were handed over. */
    synchronized void shorten(PendingCalls calls, int launched) {
        nextSequence -= calls.launches() - launched;
        open.remove(calls);
    }

    synchronized void launchSucceeded(long sequence) {
        retiredSequence = sequence;
    }

    synchronized void succeeded(PendingCalls calls) {
        open.remove(calls);
    }

    /** Tells the listener of the epoch's first failure. */
    void launchFailed(long sequence, StatusCode status, int namedRank, CallDescriptor call) {
        synchronized (this) {
            if (failed) {
                return;
            }
            failed = true;
        }
        listener.onFailure(epoch, sequence, status, namedRank, call);
    }

    synchronized DrainReport report() {
        @Nullable PendingCalls first = open.isEmpty() ? null : open.iterator().next();
        return new DrainReport(
                epoch, retiredSequence, Optional.ofNullable(first).map(PendingCalls::firstUnfinished));
    }

    /**
     * Fails everything that is still open.
     *
     * @param groupRetired the last launch that succeeded on any rank
     */
    void end(ErrorInfo cause, long groupRetired) {
        List<PendingCalls> rest;
        synchronized (this) {
            rest = new ArrayList<>(open);
            open.clear();
        }
        rest.forEach(calls -> calls.end(cause, groupRetired));
    }
}
