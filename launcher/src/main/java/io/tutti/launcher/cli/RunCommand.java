package io.tutti.launcher.cli;

import io.tutti.launcher.processes.JvmCommand;
import io.tutti.launcher.processes.ProcessesJob;
import io.tutti.launcher.processes.ProcessesPlan;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.report.RunJson;
import io.tutti.launcher.report.RunSetting;
import io.tutti.launcher.report.RunText;
import io.tutti.launcher.run.Agreement;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunJob;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tutti run}. */
@Command(
        name = "run",
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Forms the communicators of a configuration, runs the fused operation (all-reduce, residual add, RMSNorm)"
                    + " on every rank, checks every element of the result bit for bit, and shows which path was taken"
                    + " and why."
        },
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every element is right",
            "1:a wrong result, or a run that failed",
            "2:bad usage, configuration or input, or a port, file or memory that is not to be had",
            "3:the result is right, but a path or handle kind that the facts promised was refused when tried",
            "130:stopped by Ctrl-C and closed",
            "143:stopped by SIGTERM and closed"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tutti run",
            "  tutti run --ranks 8 --tokens 1024 --dtype fp16 --json",
            "  tutti run --input layer.safetensors --output result.safetensors",
            "  tutti run --ranks 2 --epilogue all-reduce --algorithm two-shot --iterations 1000",
            "  tutti run --inject 'rank=1 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1'",
            "",
            "The median is over the operations, from the first rank's submission until the last rank's completion",
            "was seen; with several processes, within one process, and then the slowest one's.",
            "With --input, ranks, shape and type come from the file, which holds rank0.partial, rank1.partial, ...",
            "[tokens, hidden], residual [tokens, hidden] and gamma [hidden]."
        })
final class RunCommand implements Callable<Integer> {

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final RankProcessSupport support;

    @Mixin
    RunOptions options;

    @Mixin
    StandardOptions standard;

    @Spec
    CommandSpec spec;

    RunCommand(Console console, RunRuntime.Starter starter, Waits waits, RankProcessSupport support) {
        this.console = console;
        this.starter = starter;
        this.waits = waits;
        this.support = support;
    }

    @Override
    public Integer call() {
        options.startLogging();
        int processes = options.cluster.processes();
        Placement placement = processes == 1 ? new Placement.Here() : new Placement.Elsewhere();
        RunPreparation preparation = options.preparation(console.environment(), placement);
        RunResult result;
        RunSetting setting;
        ConsoleProgress progress = new ConsoleProgress(console, System::nanoTime);
        try (RunPreparation.Prepared prepared = preparation.prepare()) {
            warnAboutSeed();
            setting = new RunSetting(
                    prepared.decision().survey().driver(),
                    prepared.decision().topology(),
                    processes,
                    prepared.decision().survey().passedOver());
            result = processes == 1
                    ? new RunJob(starter, waits, progress, Agreement.ALL_HERE)
                            .run(prepared.request(), prepared.config())
                    : inProcesses(prepared, processes, progress);
        } finally {
            progress.done();
        }
        print(result, setting);
        return result.promisedPathRefused() ? ExitStatus.PROMISE_REFUSED : ExitStatus.GOOD;
    }

    private RunResult inProcesses(RunPreparation.Prepared prepared, int processes, Progress progress) {
        ProcessesPlan plan = prepared.plan(processes);
        JvmCommand jvm = support.jvm().get();
        List<String> arguments =
                new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        arguments.set(arguments.indexOf(spec.name()), RankProcessCommand.NAME);
        return new ProcessesJob(
                        process -> jvm.rankProcess(
                                process, processes, prepared.compilation(), console.environment(), arguments),
                        support.nodes(),
                        waits,
                        progress,
                        options.report.verbose ? this::log : line -> {})
                .run(plan, prepared.config());
    }

    private void log(String line) {
        console.err().println(line);
        console.err().flush();
    }

    private void warnAboutSeed() {
        if (options.files.input != null && options.operation.seed != null) {
            console.err().println("tutti run: --seed has no effect with --input");
            console.err().flush();
        }
    }

    private void print(RunResult result, RunSetting setting) {
        if (options.report.json) {
            console.out().println(RunJson.of(result, setting));
        } else {
            console.out().print(RunText.of(result, setting));
        }
    }
}
