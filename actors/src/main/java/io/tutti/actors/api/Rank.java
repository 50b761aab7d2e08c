package io.tutti.actors.api;

import io.tutti.gpu.DType;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
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
     * The driver of the device, real or emulated, for users who want streams, events, graphs or memory that work on either;
     * one with CUDA code of its own does not need it. Its calls need the rank's {@link #context} current on the calling
     * thread. What a user makes with it, the user gives back before the communicator is closed.
     */
    Driver driver();

    /** The device's primary context; {@link io.tutti.gpu.driver.ContextScope} makes it current for a while. */
    CuContext context();

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
     * Enqueues the operation on a stream of the user's own, in the thread that calls and before this returns: behind all
     * work of that stream, and behind this rank's earlier calls on whichever stream. So the inputs may come from kernels
     * that were launched before it, and kernels that are launched after it may read the outputs; those run also when the
     * call fails, whose outputs are undefined. The stream and the device stay the user's; {@code
     * io.tutti.gpu.cuda.jcuda.JCudaHandles} turns JCuda's streams and pointers into numbers.
     *
     * @param stream of this rank's device and its primary context; it may be destroyed as soon as this has returned
     * @return completes and fails as for {@link #allReduce(FusedAllReduce)}
     * @throws io.tutti.gpu.TuttiException when nothing was launched: with code USAGE when the request can never work, the
     *     stream is being captured, or the path in use needs the host between its kernels ({@code staged}, {@code nccl});
     *     with the reason when no epoch is committed, since a call on a user's stream never waits for one
     */
    CompletionStage<Completion> allReduce(FusedAllReduce request, CuStream stream);

    /** For calls inside a CUDA graph that the user captures itself. */
    UserGraph graph();

    /**
     * Prepares calls to be launched together, again and again, as one graph. Nothing runs before the first {@link
     * CapturedCalls#replay}, which also captures. The caller closes it.
     *
     * @param requests one or more
     * @throws io.tutti.gpu.TuttiException with code USAGE, when a request can never work as written
     */
    CapturedCalls capture(List<FusedAllReduce> requests);
}
