package io.tutti.actors.internal;

import org.jspecify.annotations.Nullable;

/** What became of a communicator since it first formed, counted over its committed epochs. Thread-safe. */
final class EpochHistory {

    private @Nullable CommittedEpoch last;
    private int restarts;
    private int downgrades;

    /** Told of every committed epoch once. */
    synchronized void committed(CommittedEpoch epoch) {
        CommittedEpoch before = last;
        last = epoch;
        if (before == null) {
            return;
        }
        if (before.plan().path().compareTo(epoch.plan().path()) < 0) {
            downgrades++;
        }
        for (int rank = 0; rank < epoch.processes().size(); rank++) {
            if (!before.processes().get(rank).equals(epoch.processes().get(rank))) {
                restarts++;
            }
        }
    }

    synchronized int restarts() {
        return restarts;
    }

    synchronized int downgrades() {
        return downgrades;
    }
}
