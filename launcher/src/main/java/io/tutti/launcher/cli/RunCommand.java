package io.tutti.launcher.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.report.RunJson;
import io.tutti.launcher.report.RunSetting;
import io.tutti.launcher.report.RunText;
import io.tutti.launcher.run.RunJob;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
            "was seen. With --input, ranks, shape and type come from the file, which holds rank0.partial,",
            "rank1.partial, ... [tokens, hidden], residual [tokens, hidden] and gamma [hidden]."
        })
final class RunCommand implements Callable<Integer> {

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;

    @Mixin
    ClusterOptions cluster;

    @Mixin
    OperationOptions operation;

    @Mixin
    ReportOptions report;

    @Mixin
    StandardOptions standard;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            order = 40,
            description = "Read the input tensors from this safetensors file.")
    @Nullable
    Path input;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            order = 41,
            description = "Write the last operation's residual_out and norm_out (of all-reduce: sum_out) to this"
                    + " safetensors file, once they are found right.")
    @Nullable
    Path output;

    RunCommand(Console console, RunRuntime.Starter starter, Waits waits) {
        this.console = console;
        this.starter = starter;
        this.waits = waits;
    }

    @Override
    public Integer call() {
        StderrLogging.setVerbose(report.verbose);
        RunResult result;
        RunSetting setting;
        RunPreparation preparation = new RunPreparation(cluster, operation, input, output, console.environment());
        ConsoleProgress progress = new ConsoleProgress(console, System::nanoTime);
        try (RunPreparation.Prepared prepared = preparation.prepare()) {
            warnAboutSeed();
            setting = new RunSetting("host", prepared.settings().topology(), 1);
            result = new RunJob(starter, waits, progress).run(prepared.request(), prepared.config());
        } finally {
            progress.done();
        }
        print(result, setting);
        return result.promisedPathRefused() ? ExitStatus.PROMISE_REFUSED : ExitStatus.GOOD;
    }

    private void warnAboutSeed() {
        if (input != null && operation.seed != null) {
            console.err().println("tutti run: --seed has no effect with --input");
            console.err().flush();
        }
    }

    private void print(RunResult result, RunSetting setting) {
        if (report.json) {
            console.out().println(RunJson.of(result, setting));
        } else {
            console.out().print(RunText.of(result, setting));
        }
        if (console.out().checkError()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.SYSTEM, "the result could not be written to stdout", "Check where stdout goes."));
        }
    }
}
