package io.tutti.benchmarks.cli;

import io.tutti.benchmarks.measure.OurRanks;
import io.tutti.benchmarks.measure.RankSetting;
import io.tutti.benchmarks.measure.RemoteRanks;
import io.tutti.launcher.cli.ProcessLimits;
import io.tutti.launcher.input.SeededTensors;
import io.tutti.launcher.processes.JvmCommand;
import io.tutti.launcher.processes.ProcessesJob;
import io.tutti.launcher.processes.ProcessesPlan;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRequest;
import io.tutti.launcher.spi.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Has the ranks of a benchmark live in processes of their own, which run {@link BenchRankProcessCommand}. */
final class BenchProcesses {

    private final CommandContext context;
    private final Progress progress;
    private final Consumer<String> log;

    /** @param log takes each line that a process logs, from several threads */
    BenchProcesses(CommandContext context, Progress progress, Consumer<String> log) {
        this.context = context;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Starts them, works with their ranks and ends them.
     *
     * @param arguments this command's own, which the processes get too
     */
    <T> T use(BenchPreparation prepared, int processes, List<String> arguments, Function<OurRanks, T> work) {
        JvmCommand jvm = context.support().jvm().get();
        List<String> theirs = new ArrayList<>(arguments);
        theirs.set(theirs.indexOf(BenchCommand.NAME), BenchRankProcessCommand.NAME);
        return new ProcessesJob(
                        process -> jvm.rankProcess(
                                process,
                                processes,
                                JvmCommand.Compilation.FULL,
                                context.console().environment(),
                                theirs),
                        context.support().nodes(),
                        context.waits(),
                        progress,
                        log)
                .converse(
                        plan(prepared, processes), prepared.config(), group -> work.apply(new RemoteRanks(group::ask)));
    }

    private static ProcessesPlan plan(BenchPreparation prepared, int processes) {
        RunRequest.Limits limits = prepared.longestLimits();
        String name = prepared.communicator().name();
        RankSetting setting = prepared.request().setting();
        RunRequest request = new RunRequest(
                List.of(name),
                new Operation(setting.epilogue(), setting.eps(), 1),
                ranks -> new SeededTensors(ranks, prepared.request().shapes().get(0), setting.seed()),
                Optional.empty(),
                limits);
        return ProcessesPlan.of(
                request,
                Map.of(name, prepared.communicator().worldSize()),
                processes,
                ProcessLimits.of(prepared.settings(), limits));
    }
}
