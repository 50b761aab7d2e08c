package io.tutti.actors.api;

import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Calls of one rank that are launched together as one captured graph: the launch costs the host the same for one call as
 * for fifty. Methods may be called from any thread. The tensors must stay valid until the graph is closed and its last
 * replay has completed.
 *
 * <p>A graph belongs to one epoch; after a new epoch was committed the next replay captures the calls again first, so a
 * caller sees no difference between epochs.
 */
public interface CapturedCalls extends AutoCloseable {

    /** What a replay runs, in this order. */
    List<FusedAllReduce> calls();

    /**
     * Enqueues all calls on the rank's own stream and returns. A replay takes its place among the rank's other calls; every
     * rank must make the same calls in the same order, whether captured or not.
     *
     * @return completes when the last call has; fails as {@link Rank#allReduce} does, with code CLOSED after {@link #close}
     */
    CompletionStage<Completion> replay();

    /** Frees the graph; idempotent. Replays under way complete. Closing the communicator closes it too. */
    @Override
    void close();
}
