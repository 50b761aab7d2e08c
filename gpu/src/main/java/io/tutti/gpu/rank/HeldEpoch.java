package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The epoch at hand, and how control threads abort it. The rank's thread takes it and lets it go; any thread may abort, and
 * look at the pad, meanwhile.
 */
final class HeldEpoch {

    private static final Logger LOG = LoggerFactory.getLogger(HeldEpoch.class);

    private final RankContext rank;
    private final AbortWord abortWord;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private @Nullable PathEpoch held;
    private boolean peersReachable;

    HeldEpoch(RankContext rank, AbortWord abortWord) {
        this.rank = rank;
        this.abortWord = abortWord;
    }

    /** Takes an epoch, whose peers are not reached yet. */
    void hold(PathEpoch allocated) {
        set(allocated, false);
    }

    /** What is at hand, whichever epoch's; on the rank's thread. */
    @Nullable
    PathEpoch current() {
        return held;
    }

    /**
     * The epoch at hand; on the rank's thread.
     *
     * @throws TuttiException with code STALE when another epoch is at hand, or none
     */
    PathEpoch require(EpochId epoch) {
        PathEpoch current = held;
        if (current == null || !current.epoch().equals(epoch)) {
            throw rank.error(
                    ErrorCode.STALE,
                    "not the epoch that this rank holds: asked=" + epoch + " held="
                            + (current == null ? "none" : current.epoch()),
                    "The message is late and can be dropped.");
        }
        return current;
    }

    /** From here on aborts may reach into the peers' memory too. */
    void reachPeers() {
        set(held, true);
    }

    /** From here on they are not: peers' memory may go at any time. */
    void stopReachingPeers() {
        set(held, false);
    }

    /** Lets the epoch go; null when another one is at hand, or none. */
    @Nullable
    PathEpoch detach(EpochId epoch) {
        PathEpoch current = held;
        if (current == null || !current.epoch().equals(epoch)) {
            return null;
        }
        set(null, false);
        return current;
    }

    /** Looks at an epoch from any thread; it is not let go meanwhile. */
    <T> T look(EpochId epoch, Function<PathEpoch, T> view) {
        lock.readLock().lock();
        try {
            PathEpoch current = require(epoch);
            return rank.call(() -> view.apply(current));
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Sets the host-mapped abort word and aborts what the path has, from any thread, without waiting. */
    void abort(EpochId epoch) {
        if (!abortWord.raise(epoch.epoch()) || !lock.readLock().tryLock()) {
            return;
        }
        try {
            PathEpoch current = held;
            if (current != null && current.epoch().equals(epoch)) {
                rank.run(() -> current.abort(peersReachable));
            }
        } catch (TuttiException e) {
            // The host-mapped word is set; a device that refuses a copy has no kernel that could wait for it.
            LOG.debug("rank {} could not pass the abort of {} on", rank.rank(), epoch, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    private void set(@Nullable PathEpoch newEpoch, boolean reachable) {
        lock.writeLock().lock();
        try {
            held = newEpoch;
            peersReachable = reachable;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
