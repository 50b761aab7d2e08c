package io.tutti.actors.internal;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.actors.api.UserGraph;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.gpu.DType;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.op.RequestCheck;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.rank.FailureListener;
import io.tutti.gpu.rank.RankDevice;
import io.tutti.gpu.rank.StatusErrors;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank as users see it. The data path does not pass the rank's actor: a call goes from the caller's thread straight to
 * the device's stream, under this object's lock, which makes the calls of a rank totally ordered. The actor only says
 * when an epoch is there and when it is not.
 */
final class LocalRank implements Rank {

    private static final Logger LOG = LoggerFactory.getLogger(LocalRank.class);

    private sealed interface Phase {
        record Waiting() implements Phase {}

        record Running() implements Phase {}

        record Over(ErrorInfo cause) implements Phase {}
    }

    private record StageAt(Stage stage, boolean done) {}

    private record Loss(EpochId epoch, ErrorInfo cause) {}

    private final String communicator;
    private final Duration formTimeout;
    private final Object lock = new Object();
    private final HeldCalls held = new HeldCalls();
    private final Set<LocalCapture> captures = new LinkedHashSet<>();
    private Phase phase = new Phase.Waiting();
    private @Nullable LocalCommunicator owner;
    private volatile @Nullable CommittedEpoch epoch;
    private volatile @Nullable Loss loss;
    private volatile boolean open = true;
    private volatile boolean greeted;
    private volatile @Nullable StageAt at;
    private volatile Runnable closeRequest = () -> {};
    private volatile Runnable forgetRequest = () -> {};
    private volatile @Nullable RankFacts facts;
    private volatile Consumer<RankEvent.CallFailed> failures = event -> {};
    private final ForgetRequests forgetting;
    private final RankDevice device;

    LocalRank(String communicator, Duration formTimeout, Function<FailureListener, RankDevice> opener) {
        this.communicator = communicator;
        this.formTimeout = formTimeout;
        this.forgetting = new ForgetRequests(formTimeout);
        this.device = opener.apply(this::callFailed);
    }

    // ---- users ------------------------------------------------------------------------------------------------

    @Override
    public int rank() {
        return device.settings().rank();
    }

    @Override
    public int worldSize() {
        return device.settings().worldSize();
    }

    @Override
    public int device() {
        return device.settings().deviceOrdinal();
    }

    @Override
    public Driver driver() {
        return device.driver();
    }

    @Override
    public CuContext context() {
        return device.context();
    }

    @Override
    public TensorMemory allocate(DType dtype, long tokens, long hidden) {
        return DeviceTensorMemory.allocate(device.driver(), device.context(), dtype, tokens, hidden);
    }

    @Override
    public CompletionStage<Completion> allReduce(FusedAllReduce request) {
        RequestCheck.validate(request);
        return inOrder(() -> device.submit(request));
    }

    @Override
    public CompletionStage<Completion> allReduce(FusedAllReduce request, CuStream stream) {
        return now(() -> device.submit(request, stream));
    }

    @Override
    public UserGraph graph() {
        return new LocalGraph(this, device.callerGraph());
    }

    @Override
    public CapturedCalls capture(List<FusedAllReduce> requests) {
        requests.forEach(RequestCheck::validate);
        LocalCapture capture = new LocalCapture(this, device, requests);
        synchronized (lock) {
            if (phase instanceof Phase.Over over) {
                throw new TuttiException(over.cause());
            }
            captures.add(capture);
        }
        return capture;
    }

    /** Launches now, or when the next epoch is committed. */
    CompletionStage<Completion> inOrder(Supplier<CompletionStage<Completion>> launch) {
        synchronized (lock) {
            if (phase instanceof Phase.Running) {
                return launch.get();
            }
            if (phase instanceof Phase.Over over) {
                return CompletableFuture.failedStage(new TuttiException(over.cause()));
            }
            return held.hold(launch, System.nanoTime() + formTimeout.toNanos());
        }
    }

    /**
     * Launches now or never.
     *
     * @throws TuttiException with the reason when no epoch is committed
     */
    <T> T now(Supplier<T> launch) {
        synchronized (lock) {
            if (phase instanceof Phase.Over over) {
                throw new TuttiException(over.cause());
            }
            return launch.get();
        }
    }

    void forget(LocalCapture capture) {
        synchronized (lock) {
            captures.remove(capture);
        }
    }

    // ---- the rank's actor -------------------------------------------------------------------------------------

    RankDevice machine() {
        return device;
    }

    void attach(LocalCommunicator communicatorOfRank) {
        this.owner = communicatorOfRank;
    }

    /** How the owner asks this rank's actor to leave. */
    void onCloseRequest(Runnable request) {
        this.closeRequest = request;
    }

    void requestClose() {
        closeRequest.run();
    }

    /** How the owner asks this rank's actor to have refusals forgotten. */
    void onForgetRequest(Runnable request) {
        this.forgetRequest = request;
    }

    /** Completes once the coordinator has forgotten what was refused. */
    CompletionStage<Void> forgetRefusals() {
        synchronized (lock) {
            if (phase instanceof Phase.Over over) {
                return CompletableFuture.failedStage(new TuttiException(over.cause()));
            }
        }
        CompletionStage<Void> forgotten = forgetting.add(communicator);
        forgetRequest.run();
        return forgotten;
    }

    /** The coordinator has forgotten what was refused. */
    void forgotten() {
        forgetting.forgotten();
    }

    /** What the rank has told the coordinator about its place and device. */
    void told(RankFacts own) {
        facts = own;
    }

    Optional<RankFacts> facts() {
        return Optional.ofNullable(facts);
    }

    /** A coordinator has answered this rank's hello. */
    void greeted() {
        greeted = true;
    }

    /** The rank is at a stage of forming. */
    void at(Stage stage, boolean done) {
        at = new StageAt(stage, done);
    }

    /** All ranks have entered: calls run from now on, those that waited first. */
    void running(CommittedEpoch committed) {
        epoch = committed;
        synchronized (lock) {
            phase = new Phase.Running();
            held.flush();
        }
        owner().committed(this);
    }

    /** The epoch is over and another may come: calls wait from now on. */
    void waiting() {
        synchronized (lock) {
            if (!(phase instanceof Phase.Over)) {
                phase = new Phase.Waiting();
            }
        }
    }

    /** Fails calls that have waited too long for an epoch. */
    void expireHeld() {
        Runnable failures;
        synchronized (lock) {
            failures = held.expire(System.nanoTime(), rank());
        }
        failures.run();
    }

    /** No epoch comes any more. */
    void over(ErrorInfo cause) {
        Runnable failures;
        synchronized (lock) {
            phase = new Phase.Over(cause);
            failures = held.failAll(cause);
        }
        failures.run();
        forgetting.over(cause);
        owner().failed(cause);
    }

    /** Gives everything back; idempotent. The rank's thread only. */
    void close() {
        over(closedError(communicator));
        if (open) {
            closeCaptures();
            try {
                device.close();
            } catch (TuttiException e) {
                LOG.warn("rank {}: closing its device failed: {}", rank(), e.getMessage());
            }
            open = false;
            owner().released();
        }
    }

    private void closeCaptures() {
        List<LocalCapture> left;
        synchronized (lock) {
            left = List.copyOf(captures);
        }
        left.forEach(LocalCapture::close);
    }

    /** How the device's failures reach the rank's actor. */
    void onCallFailed(Consumer<RankEvent.CallFailed> listener) {
        failures = listener;
    }

    /** A peer's process died: nothing of the epoch runs on from here. Any thread. */
    void peerLost(EpochId epochId, ErrorInfo cause) {
        loss = new Loss(epochId, cause);
        device.abort(epochId, cause);
        failures.accept(new RankEvent.CallFailed(epochId, 0, cause.rank(), cause));
    }

    /** A kernel only knows that it was told to leave; where a peer's death made it leave, that is the error. */
    ErrorInfo explain(EpochId epochId, ErrorInfo error) {
        Loss lost = loss;
        return error.code() == ErrorCode.ABORTED && lost != null && lost.epoch().equals(epochId) ? lost.cause() : error;
    }

    /** The device's failure listener; on the completion thread, so it only hands on. */
    void callFailed(EpochId epochId, long sequence, StatusCode status, int namedRank, CallDescriptor call) {
        Loss lost = loss;
        // A kernel only knows that it was told to leave; who died is known here.
        ErrorInfo error =
                status == StatusCode.ABORTED && lost != null && lost.epoch().equals(epochId)
                        ? lost.cause()
                        : StatusErrors.of(epochId, call.describe(), status, namedRank);
        @Nullable Integer missing = namedRank < 0 ? null : namedRank;
        failures.accept(new RankEvent.CallFailed(epochId, sequence, missing, error));
    }

    // ---- the communicator -------------------------------------------------------------------------------------

    boolean hasEpoch() {
        return epoch != null;
    }

    boolean isGreeted() {
        return greeted;
    }

    /** The stage of forming that it was last at, if any. */
    Optional<Stage> stage() {
        return Optional.ofNullable(at).map(StageAt::stage);
    }

    boolean isThrough(Stage stage) {
        StageAt now = at;
        return now != null && (now.stage().compareTo(stage) > 0 || (now.stage() == stage && now.done()));
    }

    boolean isOpen() {
        return open;
    }

    CommittedEpoch current() {
        CommittedEpoch current = epoch;
        if (current == null) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.STALE,
                    "no epoch is committed yet: communicator=" + communicator,
                    "Wait for the stage that Tutti.communicator returned."));
        }
        return current;
    }

    static ErrorInfo closedError(String communicator) {
        return ErrorInfo.of(
                ErrorCode.CLOSED, "the communicator was closed: communicator=" + communicator, "Open a new one.");
    }

    private LocalCommunicator owner() {
        return Objects.requireNonNull(owner, "a rank belongs to a communicator before its actor starts");
    }
}
