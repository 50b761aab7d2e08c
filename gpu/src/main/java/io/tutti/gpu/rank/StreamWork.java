package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.driver.CuStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What the rank's thread waits for on its own stream: the kernels of the stages, and everything that was launched. */
final class StreamWork {

    private static final long IDLE_PARK_NANOS = 20_000;

    /** What a stream may take beyond its kernels' own deadlines: to schedule them, and to have their end noticed. */
    static final long SLACK_NANOS = Duration.ofSeconds(2).toNanos();

    private final RankContext rank;
    private final CuStream stream;
    private final StreamOrder order;
    private final LaunchLane lane;
    private final KernelLauncher launcher;

    StreamWork(RankContext rank, CuStream stream, StreamOrder order, LaunchLane lane, KernelLauncher launcher) {
        this.rank = rank;
        this.stream = stream;
        this.order = order;
        this.lane = lane;
        this.launcher = launcher;
    }

    /**
     * Runs the kernel of a stage to its end.
     *
     * @param kernelTimeoutNanos how long the kernel may wait for other ranks
     * @throws TuttiException saying why it left, unless that was success
     */
    void run(String kernel, String stage, EpochId epoch, long kernelTimeoutNanos) {
        ControlRun run = new ControlRun();
        lane.lock().lock();
        try {
            rank.run(() -> launch(run, kernel, epoch, kernelTimeoutNanos));
        } finally {
            lane.lock().unlock();
        }
        LaunchOutcome outcome = rank.call(() -> run.await(kernel, kernelTimeoutNanos + SLACK_NANOS));
        if (outcome.status() != StatusCode.OK) {
            throw new TuttiException(StatusErrors.ofStage(epoch, stage, outcome.status(), outcome.namedRank())
                    .onRank(rank.rank())
                    .at(stage));
        }
    }

    private void launch(ControlRun run, String kernel, EpochId epoch, long kernelTimeoutNanos) {
        long number = lane.reserve(1, run);
        try {
            lane.awaitRecord(number, kernelTimeoutNanos);
            order.home();
            launcher.launch(kernel, epoch, kernelTimeoutNanos);
        } catch (RuntimeException e) {
            lane.shorten(1);
            throw e;
        }
    }

    /**
     * Waits until every kernel, on whichever stream, has left and its outcome has been passed on.
     *
     * @throws TuttiException with code TIMEOUT when that takes longer
     */
    void synchronize(long waitNanos) {
        long start = System.nanoTime();
        bringHome(waitNanos);
        if (!rank.driver().streamSynchronize(stream, waitNanos)) {
            throw notDrained(waitNanos);
        }
        while (!lane.idle()) {
            if (System.nanoTime() - start > waitNanos) {
                throw notDrained(waitNanos);
            }
            LockSupport.parkNanos(IDLE_PARK_NANOS);
        }
    }

    /** A caller that launches a graph of its own holds the lock meanwhile, and may take too long. */
    private void bringHome(long waitNanos) {
        try {
            if (!lane.lock().tryLock(waitNanos, TimeUnit.NANOSECONDS)) {
                throw notDrained(waitNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notDrained(waitNanos);
        }
        try {
            order.home();
        } finally {
            lane.lock().unlock();
        }
    }

    TuttiException notDrained(long waitNanos) {
        return rank.error(
                ErrorCode.TIMEOUT,
                "the stream did not drain: waitedMillis="
                        + Duration.ofNanos(waitNanos).toMillis(),
                "Look at the device; its memory is kept until the process ends.");
    }
}
