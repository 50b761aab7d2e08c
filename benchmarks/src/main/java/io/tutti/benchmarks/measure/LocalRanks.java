package io.tutti.benchmarks.measure;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.launcher.input.InputTensors;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.input.SeededTensors;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RankTensors;
import io.tutti.launcher.run.ResultCheck;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The ranks that live in this process: all of a communicator, or this process's share of it. */
public final class LocalRanks implements OurRanks {

    private final Communicator communicator;
    private final RankSetting setting;
    private final Waits waits;
    private final Progress progress;
    private final List<RankTensors> tensors = new ArrayList<>();
    private final List<CapturedCalls> graphs = new ArrayList<>();
    private final List<RankLaunch> launches = new ArrayList<>();
    private final MeasureLoop loop;
    private @Nullable InputTensors inputs;

    public LocalRanks(Communicator communicator, RankSetting setting, Waits waits, Progress progress) {
        this.communicator = communicator;
        this.setting = setting;
        this.waits = waits;
        this.progress = progress;
        this.loop = new MeasureLoop(tensors, launches, waits);
    }

    @Override
    public int worldSize() {
        return communicator.worldSize();
    }

    @Override
    public boolean promiseRefused() {
        return RunResult.promiseRefused(communicator.plan().rejected());
    }

    @Override
    public void load(OperationShape shape) {
        close();
        InputTensors made = new SeededTensors(communicator.worldSize(), shape, setting.seed());
        inputs = made;
        for (Rank rank : communicator.localRanks()) {
            RankTensors loaded = RankTensors.load(rank, made, operation(), waits);
            tensors.add(loaded);
            launches.add(launch(rank, loaded.request(), setting.graph().of(shape.bytes())));
        }
    }

    private RankLaunch launch(Rank rank, FusedAllReduce request, int together) {
        if (together == 0) {
            return RankLaunch.single(rank, request);
        }
        CapturedCalls graph = rank.capture(Collections.nCopies(together, request));
        graphs.add(graph);
        return RankLaunch.graph(graph);
    }

    @Override
    public Burst burst(int warmUp, int iterations, Duration limit) {
        String what = warmUp + iterations + (graphs.isEmpty() ? " operations of " : " graphs of operations of ")
                + loaded().shape().describe() + " on communicator "
                + communicator.name();
        return loop.run(warmUp, iterations, limit, what);
    }

    @Override
    public void poison() {
        tensors.forEach(rank -> rank.poison(waits));
    }

    @Override
    public long judge() {
        return new ResultCheck(communicator.name(), loaded(), operation())
                .judge(tensors, waits, progress)
                .wrongElements();
    }

    private InputTensors loaded() {
        return Objects.requireNonNull(inputs, "no shape is loaded");
    }

    private Operation operation() {
        return new Operation(setting.epilogue(), setting.eps(), 1);
    }

    @Override
    public void close() {
        // A kernel that is still running writes to these; the runtime's own close is what ends it.
        if (loop.settled()) {
            graphs.forEach(CapturedCalls::close);
            tensors.forEach(RankTensors::close);
        }
        graphs.clear();
        launches.clear();
        tensors.clear();
    }
}
