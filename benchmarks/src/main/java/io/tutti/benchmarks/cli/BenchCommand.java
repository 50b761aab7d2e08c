package io.tutti.benchmarks.cli;

import com.typesafe.config.Config;
import io.tutti.benchmarks.measure.BenchRequest;
import io.tutti.benchmarks.measure.BenchRow;
import io.tutti.benchmarks.measure.BenchRun;
import io.tutti.benchmarks.measure.PeerDesk;
import io.tutti.benchmarks.peer.OpenMpiPeer;
import io.tutti.benchmarks.report.BenchCsv;
import io.tutti.benchmarks.report.BenchJson;
import io.tutti.benchmarks.report.BenchTable;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.posix.MemoryLimits;
import io.tutti.launcher.cli.ClusterOptions;
import io.tutti.launcher.cli.ConsoleProgress;
import io.tutti.launcher.cli.ExitStatus;
import io.tutti.launcher.cli.HostingRules;
import io.tutti.launcher.cli.MemoryNeed;
import io.tutti.launcher.cli.ReportOptions;
import io.tutti.launcher.cli.RunLimits;
import io.tutti.launcher.cli.StandardOptions;
import io.tutti.launcher.cli.Usage;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.safetensors.SafetensorsWriter;
import io.tutti.launcher.spi.CommandContext;
import io.tutti.launcher.spi.Console;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tutti bench}. */
@Command(
        name = "bench",
        sortOptions = false,
        description = {
            "Measures the fused operation (all-reduce, residual add, RMSNorm) over sizes, beside other implementations"
                    + " where they are installed, in the columns of nccl-tests, and checks every element of the result."
        },
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every element is right",
            "1:a wrong result, or a run that failed",
            "2:bad usage or configuration, or a port, file or memory that is not to be had",
            "3:the result is right, but a path or handle kind that the facts promised was refused when tried",
            "130:stopped by Ctrl-C and closed",
            "143:stopped by SIGTERM and closed"
        },
        footerHeading = "%nMethod:%n",
        footer = {
            "  Every rank repeats its call, the next as soon as the one before has completed; ranks are not held",
            "  together in between. An operation's time is that of the rank that took longest, from before its call",
            "  until its completion was seen; time(us) is the median over the operations, p99(us) the 99th percentile.",
            "  A row's operations are cut into up to five rounds; in each, ours and then each peer runs a warm-up and",
            "  its share of the operations. Peers are timed in the same way: per rank, the slowest rank counts. Before",
            "  the first round ours warms up for 1.5 s or 20000 operations. No graph capture; tensors stay in place.",
            "  algbw is the size over the time; busbw is algbw x 2(n-1)/n for n ranks. #wrong counts the elements, of",
            "  all ranks and outputs of the last operation, whose bits differ from the scalar reference.",
            "  openmpi+norm: MPI_Allreduce of Open MPI 4 and a vectorised norm in C, fp32, a process per rank; needs",
            "  mpicc and mpirun. It is compiled on first use and kept in ~/.cache/tutti.",
            "",
            "Examples:",
            "  tutti bench --ranks 2",
            "  tutti bench --ranks 4 --tokens 1,64,1024 --hidden 4096,8192 --dtype bf16,fp32 --csv figures.csv"
        })
final class BenchCommand implements Callable<Integer> {

    private static final String DRIVER = "host";
    private static final Duration PEER_START = Duration.ofSeconds(30);

    private final CommandContext context;

    @Mixin
    ClusterOptions cluster;

    @Mixin
    BenchOptions bench;

    @Mixin
    ReportOptions report;

    @Mixin
    StandardOptions standard;

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        StderrLogging.setVerbose(report.verbose());
        if (bench.csv != null) {
            SafetensorsWriter.checkTarget(bench.csv);
        }
        Console console = context.console();
        Config config = cluster.load(List.of(), console.environment());
        TuttiSettings settings = TuttiSettings.load(config, console.environment());
        CommunicatorSettings communicator = communicator(settings);
        BenchRequest request = bench.request(communicator.name());
        checkMemory(settings, request);
        BenchRun.Outcome outcome = measure(request, config, settings, communicator.worldSize());
        if (bench.csv != null) {
            CsvFile.write(bench.csv, BenchCsv.of(outcome.rows()));
        }
        if (report.json()) {
            console.out().println(BenchJson.of(DRIVER, outcome.rows()));
        }
        if (console.out().checkError()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.SYSTEM, "the result could not be written to stdout", "Check where stdout goes."));
        }
        return status(outcome);
    }

    private BenchRun.Outcome measure(BenchRequest request, Config config, TuttiSettings settings, int ranks) {
        ConsoleProgress progress = new ConsoleProgress(context.console(), System::nanoTime);
        try (PeerDesk desk = new PeerDesk(context.waits(), line -> note(progress, line))) {
            if (request.epilogue() == Epilogue.RESIDUAL_RMSNORM && bench.dtypes.contains(DType.FP32)) {
                desk.add(OpenMpiPeer.open(ranks, context.console().environment(), PEER_START));
            }
            BenchTable table = new BenchTable(desk.names());
            if (!report.json()) {
                print(
                        progress,
                        "# " + ranks + (ranks == 1 ? " rank, driver " : " ranks, driver ") + DRIVER + ", "
                                + request.epilogue().wireName());
                print(progress, table.header());
            }
            return new BenchRun(context.starter(), desk, context.waits(), progress)
                    .run(
                            request,
                            config,
                            shape -> RunLimits.of(settings, cluster.timeout(), shape),
                            row -> show(progress, table, row));
        } finally {
            progress.done();
        }
    }

    private void show(ConsoleProgress progress, BenchTable table, BenchRow row) {
        if (!report.json()) {
            print(progress, table.line(row));
        }
    }

    private void print(ConsoleProgress progress, String line) {
        progress.done();
        context.console().out().println(line);
        context.console().out().flush();
    }

    private void note(ConsoleProgress progress, String line) {
        progress.done();
        context.console().err().println("tutti bench: " + line);
        context.console().err().flush();
    }

    private static CommunicatorSettings communicator(TuttiSettings settings) {
        HostingRules.checkAllHere("bench", settings);
        if (settings.communicators().size() != 1) {
            throw Usage.mistake(
                    "bench measures one communicator, but several are configured: communicators="
                            + settings.communicators().stream()
                                    .map(CommunicatorSettings::name)
                                    .toList(),
                    "Configure one communicator, for example with another --config or --profile.");
        }
        return settings.communicators().get(0);
    }

    private static void checkMemory(TuttiSettings settings, BenchRequest request) {
        MemoryLimits.Available available = MemoryLimits.system().available();
        request.shapes()
                .forEach(shape ->
                        MemoryNeed.of(settings, shape, request.epilogue()).check(available));
    }

    private static int status(BenchRun.Outcome outcome) {
        if (!outcome.right()) {
            return ExitStatus.FAILED;
        }
        return RunResult.promiseRefused(outcome.rejected()) ? ExitStatus.PROMISE_REFUSED : ExitStatus.GOOD;
    }
}
