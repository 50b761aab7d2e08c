package io.tutti.actors.api;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.EpochPlan;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A named group of ranks that run collectives together, as seen from one process. Obtained from {@code Tutti}; all
 * methods may be called from any thread. Closing is idempotent.
 */
public interface Communicator extends AutoCloseable {

    String name();

    int worldSize();

    /** The ranks that live in this process, in rank order. */
    List<Rank> localRanks();

    /** The committed epoch. */
    EpochId epoch();

    /** The committed epoch's plan: path, handle kinds, sizes and every rejected path with its reason. */
    EpochPlan plan();

    /** The committed epoch's path. */
    default PathKind path() {
        return plan().path();
    }

    /** Ranks that were replaced by a start in another process since the first epoch was committed. */
    int restarts();

    /** Times that an epoch was committed on a lower path than the one before it. */
    int downgrades();

    /**
     * Has paths and handle kinds that were refused when they were tried, and a workspace that was made smaller, tried again
     * when the next epoch is formed. Until then, and without it, they stay out as long as the ranks' processes, devices and
     * drivers are the same. The running epoch is left alone.
     *
     * @return completes when the coordinator has forgotten them; fails with a {@link io.tutti.gpu.TuttiException}, code
     *     TIMEOUT when nobody answers within {@code tutti.cluster.form-timeout}, CLOSED when the communicator is over
     */
    CompletionStage<Void> forgetRefusals();

    /** Completes once the ranks of this process have left and everything was given back; bounded by a deadline. */
    CompletionStage<Void> closeAsync();

    /** Closes and waits, bounded by {@code tutti.close.timeout}. */
    @Override
    void close();
}
