package io.tutti.benchmarks.peer;

import io.tutti.benchmarks.stats.Samples;
import java.util.concurrent.CompletionStage;

/** Another implementation of the operation, ready to be measured. One thread uses it; any thread may close it. */
public interface Peer extends AutoCloseable {

    /** The name in tables and JSON. */
    String name();

    /** Whether it can do that operation at all. */
    boolean supports(PeerRequest request);

    /**
     * Runs the operation on all its ranks, first the warm-up, then the iterations. Between requests it uses no processor
     * time. One request at a time.
     *
     * @return for each iteration the duration on the slowest rank; fails with {@link PeerException} when the peer died,
     *     answered something else, or computed a wrong result
     */
    CompletionStage<Samples> measure(PeerRequest request);

    /** Ends it with every process it started; idempotent and bounded. A request under way fails. */
    @Override
    void close();
}
