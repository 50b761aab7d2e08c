package io.tutti.actors.api;

import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.concurrent.CompletionStage;

/**
 * Calls of one rank inside a CUDA graph of the user's own, among the user's own kernels. The user begins and ends the
 * capture, instantiates the graph and launches it; {@link #allReduce} adds calls meanwhile, and {@link #launch} goes around
 * each launch:
 *
 * <pre>{@code
 * UserGraph calls = rank.graph();
 * cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
 * attention<<<stream>>>(…);
 * calls.allReduce(request, JCudaHandles.stream(stream));
 * cuStreamEndCapture(stream, graph);
 * calls.captured();
 * …
 * calls.launch(JCudaHandles.stream(stream), () -> cuGraphLaunch(exec, stream));
 * }</pre>
 *
 * <p>The captured kernels carry the communicator's epoch. After another one was committed, {@link #launch} fails with code
 * STALE, and the calls have to be captured again with another {@code UserGraph}; a launch past this object leaves all
 * memory untouched, but is not accounted for, and must not happen. Methods may be called from any thread. Tensors must stay
 * valid as long as the graph is launched; the graph itself is the user's to free.
 */
public interface UserGraph extends AutoCloseable {

    /**
     * Adds a call to the capture that is under way on {@code stream}, in the thread that calls; nothing runs yet. All calls
     * of a graph are added on one stream.
     *
     * @throws io.tutti.gpu.TuttiException with code USAGE for a request that can never work, a stream that is not being
     *     captured or is another than before, while another graph of this rank is captured, and where the path in use
     *     needs the host between its kernels ({@code staged}, {@code nccl}); with the reason when no epoch is committed,
     *     and with code STALE when it is another than that of the calls before
     */
    void allReduce(FusedAllReduce request, CuStream stream);

    /** Says that the capture has ended; until then, or the first launch, no other graph of this rank can be captured. */
    void captured();

    /** Whether the calls must be captured again, as another graph. */
    boolean isStale();

    /**
     * Gives one launch of the graph its place among the rank's calls. Every rank must make the same calls in the same
     * order, whether in graphs or not.
     *
     * @param stream where it is launched
     * @param graphLaunch launches the graph there, exactly once, and waits for nothing: other calls of this rank wait for it
     * @return completes when the last of the graph's calls has; fails as {@link Rank#allReduce(FusedAllReduce)} does
     * @throws io.tutti.gpu.TuttiException when nothing was launched: with code STALE when the epoch has ended, USAGE for a
     *     graph without calls, a stream that is being captured, or within another graph's launch, CLOSED after {@link
     *     #close}
     */
    CompletionStage<Completion> launch(CuStream stream, Runnable graphLaunch);

    /** Allows no launch any more; idempotent. Launches under way complete. */
    @Override
    void close();
}
