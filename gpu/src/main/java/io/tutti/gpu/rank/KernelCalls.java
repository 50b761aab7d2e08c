package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import java.util.List;

/** The calls of a path whose kernels speak with the peers themselves: a call is launched and leaves by itself. */
final class KernelCalls {

    private final RankMachine machine;
    private final EpochId epoch;
    private final long timeoutNanos;

    KernelCalls(RankMachine machine, EpochId epoch) {
        this.machine = machine;
        this.epoch = epoch;
        this.timeoutNanos = machine.operationTimeoutNanos();
    }

    /** Launches every chunk of every call on the rank's stream. */
    void launch(PendingCalls pending) {
        launch(pending, machine.stream());
    }

    /** The same on a caller's stream. */
    void launch(PendingCalls pending, CuStream stream) {
        long first = machine.lane().reserve(pending.launches(), pending);
        pending.begin();
        int launched = 0;
        try {
            for (PlannedCall call : pending.calls()) {
                for (int chunk = 0; chunk < call.launches().launches(); chunk++) {
                    machine.lane().awaitRecord(first + launched, timeoutNanos);
                    machine.launcher().launch(call, chunk, false, epoch, timeoutNanos, stream);
                    launched++;
                }
            }
        } catch (TuttiException e) {
            giveUp(pending, launched, e);
        }
    }

    /** Adds a call to the capture that is under way on a caller's stream. Its neighbours there may be anybody's. */
    void capture(PlannedCall call, CuStream stream) {
        for (int chunk = 0; chunk < call.launches().launches(); chunk++) {
            machine.launcher().launch(call, chunk, chunk > 0, epoch, timeoutNanos, stream);
        }
    }

    /** Accounts for calls that were captured and are now launched as a graph. */
    void launchGraph(PendingCalls pending, Runnable graphLaunch) {
        long first = machine.lane().reserve(pending.launches(), pending);
        pending.begin();
        try {
            machine.lane().awaitRecord(first + pending.launches() - 1, timeoutNanos);
            graphLaunch.run();
        } catch (TuttiException e) {
            giveUp(pending, 0, e);
        }
    }

    /** Captures calls as a graph, without running them. */
    Replay capture(List<PlannedCall> calls) {
        CuGraphExec graph = instantiate(calls);
        return new Replay() {
            @Override
            public void launch(PendingCalls pending) {
                launchGraph(pending, () -> driver().graphLaunch(graph, machine.stream()));
            }

            @Override
            public void destroy() {
                driver().graphExecDestroy(graph);
            }
        };
    }

    private CuGraphExec instantiate(List<PlannedCall> calls) {
        driver().streamBeginCapture(machine.stream());
        CuGraph graph;
        try {
            boolean follows = false;
            for (PlannedCall call : calls) {
                for (int chunk = 0; chunk < call.launches().launches(); chunk++) {
                    machine.launcher().launch(call, chunk, follows, epoch, timeoutNanos);
                    follows = true;
                }
            }
        } finally {
            graph = driver().streamEndCapture(machine.stream());
        }
        try {
            return driver().graphInstantiate(graph);
        } finally {
            driver().graphDestroy(graph);
        }
    }

    /** Only part of the launches reached the stream: the calls fail, and the epoch with them, since peers wait for more. */
    private void giveUp(PendingCalls pending, int launched, TuttiException cause) {
        machine.lane().shorten(pending.launches() - launched);
        pending.giveUp(launched, cause.info().onRank(machine.rank().rank()));
    }

    private Driver driver() {
        return machine.driver();
    }
}
