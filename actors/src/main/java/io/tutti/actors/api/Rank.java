package io.tutti.actors.api;

import io.tutti.gpu.DType;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One rank of a communicator in this process. Methods may be called from any thread; calls on one rank are totally
 * ordered by the order in which {@link #allReduce} returns, and every rank of the communicator must make the same calls
 * in the same order.
 */
public interface Rank {

    /** From 0. */
    int rank();

    int worldSize();

    /** The device's ordinal in this process. */
    int device();

    /**
     * Device memory for a {@code [tokens, hidden]} tensor, contents undefined. The caller closes it after the last
     * operation that uses it.
     *
     * @throws io.tutti.gpu.driver.DriverException when the device has no memory left
     */
    TensorMemory allocate(DType dtype, long tokens, long hidden);

    /**
     * Enqueues the operation on the rank's own stream and returns. The stage completes on a Tutti thread; it fails with
     * a {@link io.tutti.gpu.TuttiException} whose code tells a mismatch, a timeout, an abort or a lost peer apart.
     *
     * @throws io.tutti.gpu.TuttiException at once, with code USAGE, when the request can never work as written
     */
    CompletionStage<Completion> allReduce(FusedAllReduce request);

    /**
     * Prepares calls to be launched together, again and again, as one graph. Nothing runs before the first {@link
     * CapturedCalls#replay}, which also captures. The caller closes it.
     *
     * @param requests one or more
     * @throws io.tutti.gpu.TuttiException with code USAGE, when a request can never work as written
     */
    CapturedCalls capture(List<FusedAllReduce> requests);
}
