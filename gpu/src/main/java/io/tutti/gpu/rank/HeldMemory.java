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
 * The memory of the epoch at hand, and the abort words that control threads set in it. The rank's thread takes it and lets
 * it go; any thread may abort, and look at the pad, meanwhile.
 */
final class HeldMemory {

    private static final Logger LOG = LoggerFactory.getLogger(HeldMemory.class);

    private final RankContext rank;
    private final AbortWord abortWord;
    private final ControlLane controlLane;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private @Nullable EpochMemory memory;
    private boolean peersReachable;

    HeldMemory(RankContext rank, AbortWord abortWord, ControlLane controlLane) {
        this.rank = rank;
        this.abortWord = abortWord;
        this.controlLane = controlLane;
    }

    /** Takes an epoch's memory, whose peers are not mapped yet. */
    void hold(EpochMemory allocated) {
        set(allocated, false);
    }

    /** The memory at hand, whichever epoch's; on the rank's thread. */
    @Nullable
    EpochMemory current() {
        return memory;
    }

    /**
     * The memory of an epoch; on the rank's thread.
     *
     * @throws TuttiException with code STALE when another epoch's memory is at hand, or none
     */
    EpochMemory require(EpochId epoch) {
        EpochMemory current = memory;
        if (current == null || !current.epoch().equals(epoch)) {
            throw rank.error(
                    ErrorCode.STALE,
                    "not the epoch of this rank's memory: asked=" + epoch + " held="
                            + (current == null ? "none" : current.epoch()),
                    "The message is late and can be dropped.");
        }
        return current;
    }

    /** From here on aborts are copied into the peers' pads too. */
    void reachPeers() {
        set(memory, true);
    }

    /** From here on they are not: peers' memory may go at any time. */
    void stopReachingPeers() {
        set(memory, false);
    }

    /** Lets the epoch's memory go; null when another one's is at hand, or none. */
    @Nullable
    EpochMemory detach(EpochId epoch) {
        EpochMemory current = memory;
        if (current == null || !current.epoch().equals(epoch)) {
            return null;
        }
        set(null, false);
        return current;
    }

    /** Looks at an epoch's memory from any thread; it is not let go meanwhile. */
    <T> T look(EpochId epoch, Function<EpochMemory, T> view) {
        lock.readLock().lock();
        try {
            EpochMemory current = require(epoch);
            return rank.call(() -> view.apply(current));
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Sets the host-mapped abort word and copies it into every pad in reach, from any thread, without waiting. */
    void abort(EpochId epoch) {
        if (!abortWord.raise(epoch.epoch()) || !lock.readLock().tryLock()) {
            return;
        }
        try {
            EpochMemory current = memory;
            if (current != null && current.epoch().equals(epoch)) {
                rank.run(() -> copyWord(current));
            }
        } catch (TuttiException e) {
            // The host-mapped word is set; a device that refuses a copy has no kernel that could wait for it.
            LOG.debug("rank {} could not copy the abort word of {}", rank.rank(), epoch, e);
        } finally {
            lock.readLock().unlock();
        }
    }

    private void copyWord(EpochMemory current) {
        long slot = current.layout().controlAbortSlot(rank.rank());
        for (int owner = 0; owner < rank.settings().worldSize(); owner++) {
            if (owner == rank.rank() || peersReachable) {
                controlLane.store(current.workspaces()[owner] + slot, (int)
                        current.epoch().epoch());
            }
        }
    }

    private void set(@Nullable EpochMemory newMemory, boolean reachable) {
        lock.writeLock().lock();
        try {
            memory = newMemory;
            peersReachable = reachable;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
