package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.memory.HandleTransports;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.plan.EpochPlan;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What one rank does on its device. The stages of forming an epoch are methods, called in this order from the rank's own
 * thread: {@link #allocate}, {@link #fill}, {@link #export}, {@link #importPeers}, {@link #writePatterns}, {@link
 * #verifyPatterns}, {@link #probe}, {@link #quiesce}, {@link #arm}, {@link #enter}. An epoch ends by {@link #abort}, {@link #drain},
 * {@link #endEpoch} and {@link #release}. Each stage either succeeds or throws a {@link TuttiException} and leaves its own
 * work undone; {@link #release} undoes all stages in reverse order and may be called any number of times.
 *
 * <p>{@link #submit}, {@link #capture}, {@link CapturedSequence#replay}, {@link #abort} and {@link #snapshot} may be called
 * from any thread. Calls are ordered by the launch lock; what the lock orders first must be first on every rank.
 */
public final class RankDevice implements AutoCloseable {

    /**
     * What a rank is.
     *
     * @param rank from 0
     * @param worldSize ranks of the communicator
     * @param deviceOrdinal its device in this process
     * @param hostId its host, as in its facts
     * @param processId its process, as in its facts
     * @param operationTimeout how long a kernel may wait for its peers
     * @param transports the handle kinds that this process can use
     * @param onFailure hears of the first failed launch of each epoch
     */
    public record Settings(
            int rank,
            int worldSize,
            int deviceOrdinal,
            String hostId,
            String processId,
            Duration operationTimeout,
            HandleTransports transports,
            FailureListener onFailure) {}

    private final RankContext rank;
    private final RankMachine machine;
    private final HeldEpoch held;
    private final CallSubmitter submitter;
    private final UndoStack resources;
    private final SubmissionGate gate = new SubmissionGate();
    private final KeptMemory kept = new KeptMemory();
    private @Nullable EpochCalls calls;
    private boolean armed;
    private boolean closed;

    private RankDevice(Driver driver, Settings settings, UndoStack undo) {
        CuContext context = driver.primaryCtxRetain(settings.deviceOrdinal());
        undo.push(() -> driver.primaryCtxRelease(settings.deviceOrdinal()));
        driver.ctxSetCurrent(context);
        rank = new RankContext(driver, context, settings);
        AbortWord abortWord = new AbortWord(driver);
        undo.push(abortWord::close);
        StatusRing ring = new StatusRing(driver);
        undo.push(ring::close);
        ControlMemory control =
                new ControlMemory(driver, settings.rank(), settings.worldSize(), abortWord.devicePointer(), ring);
        undo.push(control::close);
        CuStream stream = driver.streamCreate();
        undo.push(() -> driver.streamDestroy(stream));
        StreamOrder order = new StreamOrder(driver, stream);
        undo.push(order::close);
        ControlLane controlLane = new ControlLane(driver);
        undo.push(controlLane::close);
        KernelLauncher launcher = new KernelLauncher(driver, settings.deviceOrdinal(), stream, control.address());
        undo.push(launcher::close);
        LaunchLane lane = new LaunchLane(driver, context, stream, ring, CompletionPoller.shared());
        CompletionPoller.shared().add(lane);
        undo.push(() -> CompletionPoller.shared().remove(lane));
        StreamWork work = new StreamWork(rank, stream, order, lane, launcher);
        machine = new RankMachine(rank, stream, lane, launcher, work, control, controlLane, abortWord);
        held = new HeldEpoch(rank, abortWord);
        submitter = new CallSubmitter(rank, lane, order, gate);
        resources = undo.keep();
    }

    /**
     * Takes the device: context, streams, kernel image, control block, status ring. Call on the rank's own thread, whose
     * current context it sets.
     *
     * @throws TuttiException with nothing left behind
     */
    public static RankDevice open(Driver driver, Settings settings) {
        try (UndoStack undo = new UndoStack()) {
            return new RankDevice(driver, settings, undo);
        } catch (TuttiException e) {
            throw new TuttiException(e.info().onRank(settings.rank()), e);
        }
    }

    /** What the rank is. */
    public Settings settings() {
        return rank.settings();
    }

    /** The driver as this rank calls it. */
    public Driver driver() {
        return rank.driver();
    }

    /** The device's primary context; calls for this rank need it current. */
    public CuContext context() {
        return rank.context();
    }

    // ---- stages -----------------------------------------------------------------------------------------------

    /** Stage <em>allocate</em>: really allocates what the plan's path needs, and keeps it. */
    public void allocate(EpochId epoch, EpochPlan plan) {
        if (epoch.epoch() > KernelAbi.MAX_EPOCH) {
            throw rank.error(
                    ErrorCode.INTERNAL, "epochs are used up: epoch=" + epoch.epoch(), "Start the runtime again.");
        }
        PathEpoch before = held.current();
        if (before != null) {
            throw rank.error(
                    ErrorCode.INTERNAL,
                    "the epoch before is still held: held=" + before.epoch() + " asked=" + epoch,
                    "Release it first.");
        }
        held.hold(rank.call(() -> PathEpochs.allocate(machine, epoch, plan)));
        armed = false;
    }

    /** Stage <em>fill</em>: zeroes the workspace, writes the pad's header and the guards, and synchronises. */
    public void fill(EpochId epoch, long fillTimeoutNanos) {
        PathEpoch current = held.require(epoch);
        rank.run(() -> current.fill(fillTimeoutNanos));
    }

    /** Stage <em>export</em>: one offer for each agreed handle kind; none in a world of one. */
    public List<MemoryOffer> export(EpochId epoch) {
        PathEpoch current = held.require(epoch);
        return rank.call(current::export);
    }

    /**
     * Stages <em>exchange</em> and <em>import</em>: maps every peer's workspace and lets this epoch's kernels in.
     *
     * @param offers all ranks' offers; this rank's own and those of other kinds are passed over
     */
    public void importPeers(EpochId epoch, List<MemoryOffer> offers) {
        PathEpoch current = held.require(epoch);
        rank.run(() -> {
            kept.importersAreGone();
            current.importPeers(offers);
        });
        held.reachPeers();
    }

    /**
     * Stage <em>write</em>: sends this rank's pattern to every rank the way that calls send their data, once every rank has
     * imported.
     */
    public void writePatterns(EpochId epoch, long writeTimeoutNanos) {
        PathEpoch current = held.require(epoch);
        rank.run(() -> current.write(writeTimeoutNanos));
    }

    /** Stage <em>verify</em>: waits for every rank's pattern and compares it; the error names the rank. */
    public void verifyPatterns(EpochId epoch, long verifyTimeoutNanos) {
        PathEpoch current = held.require(epoch);
        rank.run(() -> current.verify(verifyTimeoutNanos));
    }

    /**
     * Stage <em>probe</em>: times copies to every peer and holds the best of several to what the link promises.
     *
     * @param promises bytes a second to each rank, from facts; 0 where nothing is promised
     * @param factor how many times slower is accepted
     * @throws TuttiException with code PREFLIGHT, the peer and both figures, when a link crawls
     */
    public void probe(EpochId epoch, List<Long> promises, int factor, long probeTimeoutNanos) {
        PathEpoch current = held.require(epoch);
        rank.run(() -> current.probe(promises, factor, probeTimeoutNanos));
    }

    /** Stage <em>quiesce</em>: waits until every kernel has left and been accounted for. */
    public void quiesce(long quiesceTimeoutNanos) {
        rank.run(() -> machine.work().synchronize(quiesceTimeoutNanos));
    }

    /** Stage <em>arm</em>: everything to the state before the first call, after every rank has quiesced. */
    public void arm(EpochId epoch, long armTimeoutNanos) {
        PathEpoch current = held.require(epoch);
        rank.run(() -> current.arm(armTimeoutNanos));
        calls = new EpochCalls(epoch, rank.settings().onFailure());
        armed = true;
    }

    /**
     * Stage <em>commit</em>: calls may be submitted from now on.
     *
     * @throws TuttiException when the epoch was aborted meanwhile
     */
    public void enter(EpochId epoch) {
        PathEpoch current = held.require(epoch);
        if (!armed) {
            throw rank.error(ErrorCode.INTERNAL, epoch + " is not armed", "Arm before commit.");
        }
        gate.enter(new SubmissionGate.Open(current, Objects.requireNonNull(calls)));
    }

    // ---- the end of an epoch ----------------------------------------------------------------------------------

    /**
     * Aborts an epoch and all before it, from any thread, without waiting for the device: refuses new calls, sets the
     * host-mapped word, and passes it on as the path does. Launches that run or are queued leave soon.
     *
     * @param cause what later calls are refused with until another epoch is entered
     */
    public void abort(EpochId epoch, ErrorInfo cause) {
        gate.abort(epoch.epoch(), cause);
        held.abort(epoch);
    }

    /**
     * Waits until every kernel has left. From its return on this rank writes to no peer's memory. An epoch that was never
     * armed has retired nothing.
     *
     * @param kernelTimeoutNanos how long the kernels may take; the wait is a little longer
     * @throws TuttiException with code TIMEOUT when the stream does not drain; the memory is then to be abandoned
     */
    public DrainReport drain(EpochId epoch, long kernelTimeoutNanos) {
        held.stopReachingPeers();
        drainAll(kernelTimeoutNanos);
        EpochCalls ended = calls;
        if (ended == null || !ended.epoch().equals(epoch)) {
            return new DrainReport(epoch, 0, Optional.empty());
        }
        return ended.report();
    }

    private void drainAll(long kernelTimeoutNanos) {
        long limit = kernelTimeoutNanos + StreamWork.SLACK_NANOS;
        PathEpoch current = held.current();
        rank.run(() -> {
            if (current != null) {
                current.drain(limit);
            }
            machine.work().synchronize(limit);
            if (!machine.controlLane().synchronize(limit)) {
                throw machine.work().notDrained(limit);
            }
        });
    }

    /** {@link #endEpoch(EpochId, ErrorInfo, long)} where nothing may be submitted again. */
    public void endEpoch(EpochId epoch, ErrorInfo cause) {
        endEpoch(epoch, cause, Long.MAX_VALUE);
    }

    /**
     * Fails every call of the epoch that has not succeeded with a {@link io.tutti.gpu.op.CollectiveException}; idempotent.
     *
     * @param groupRetired the largest {@link DrainReport#retiredSequence()} of all ranks: calls above it may be submitted
     *     again, unless they work in place
     */
    public void endEpoch(EpochId epoch, ErrorInfo cause, long groupRetired) {
        if (gate.isOpenFor(epoch)) {
            gate.shut(cause);
        }
        EpochCalls ended = calls;
        if (ended != null && ended.epoch().equals(epoch)) {
            ended.end(cause, groupRetired);
        }
    }

    /**
     * Gives the epoch's memory back: peers unmapped, handles withdrawn, own memory freed; idempotent. Every rank must have
     * drained the epoch before.
     */
    public void release(EpochId epoch) {
        PathEpoch gone = detach(epoch);
        if (gone != null) {
            rank.run(() -> {
                try (UndoStack undo = new UndoStack()) {
                    undo.push(() -> gone.release(kept));
                    shutControl();
                }
            });
        }
    }

    /**
     * Leaves the epoch's memory to whoever may still write it: it is never used again, and counted in {@link
     * #abandonedBytes()}; idempotent.
     */
    public void abandon(EpochId epoch) {
        PathEpoch gone = detach(epoch);
        if (gone != null) {
            rank.run(this::shutControl);
            rank.run(() -> gone.abandon(kept));
        }
    }

    /** Bytes of workspaces that were abandoned. */
    public long abandonedBytes() {
        return kept.abandonedBytes();
    }

    private @Nullable PathEpoch detach(EpochId epoch) {
        PathEpoch gone = held.detach(epoch);
        if (gone != null) {
            ErrorInfo ended = ErrorInfo.of(
                    ErrorCode.STALE, epoch + " has ended", "Submit again after the next epoch is committed.");
            gate.shut(ended);
            endEpoch(epoch, ended);
            calls = null;
            armed = false;
        }
        return gone;
    }

    /** From here on kernels that were captured before leave as stale, before they touch a workspace. */
    private void shutControl() {
        if (machine.lane().deviceError() == null) {
            machine.control().shut();
        }
    }

    // ---- calls ------------------------------------------------------------------------------------------------

    /**
     * Launches a call on the calling thread and returns at once. Any thread.
     *
     * @return completes on the completion thread, where nothing must block; fails with a {@link TuttiException}: USAGE for
     *     a request that cannot work, STALE or ABORTED when no epoch is committed, and a {@link
     *     io.tutti.gpu.op.CollectiveException} when the epoch ends before the call succeeds
     */
    public CompletionStage<Completion> submit(FusedAllReduce request) {
        return submitter.submit(request);
    }

    /**
     * Captures calls as a graph of the committed epoch, without running them. Any thread.
     *
     * @throws TuttiException with code USAGE for a request that cannot work, STALE or ABORTED without an epoch
     */
    public CapturedSequence capture(List<FusedAllReduce> requests) {
        return submitter.capture(requests);
    }

    /**
     * Launches a call on a caller's stream of this device, on the calling thread, before it returns: behind the stream's
     * work so far and behind this rank's earlier calls, whichever stream they are on. Any thread.
     *
     * @param stream stays the caller's, who may destroy it as soon as this has returned
     * @return completes as for {@link #submit(FusedAllReduce)}
     * @throws TuttiException when nothing was launched: USAGE for a request that cannot work, for a stream that is being
     *     captured, and where the epoch's path needs the host too; STALE or ABORTED when no epoch is committed
     */
    public CompletionStage<Completion> submit(FusedAllReduce request, CuStream stream) {
        return submitter.submit(request, stream);
    }

    /** For calls that a caller captures into a graph of its own. Any thread. */
    public CallerGraph callerGraph() {
        return new CallerGraph(submitter);
    }

    /** This rank's signal pad as it is now, to name who has not arrived. Any thread. */
    public PadSnapshot snapshot(EpochId epoch) {
        return held.look(epoch, PathEpoch::snapshot);
    }

    // ---- life -------------------------------------------------------------------------------------------------

    /**
     * Aborts what runs, waits for it at most as long as an operation may take, and gives everything back; idempotent. Close
     * only after every rank has drained: a peer's kernel that still runs may store into this rank's memory.
     *
     * @throws TuttiException naming the rank when its stream does not drain; its memory is then kept, since kernels may
     *     still use it
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ErrorInfo cause = new ErrorInfo(
                ErrorCode.CLOSED, rank.rank(), null, null, "the rank was closed", "Open the communicator again.");
        gate.shut(cause);
        PathEpoch current = held.current();
        if (current != null) {
            held.stopReachingPeers();
            abort(current.epoch(), cause);
        }
        if (machine.lane().deviceError() == null) {
            drainAll(rank.settings().operationTimeout().toNanos());
        }
        try (UndoStack all = new UndoStack()) {
            all.push(resources::close);
            all.push(kept::close);
            if (current != null) {
                all.push(() -> release(current.epoch()));
                endEpoch(current.epoch(), cause);
            }
        }
    }
}
