package io.tutti.benchmarks.cli;

import io.tutti.benchmarks.measure.BenchRow;
import io.tutti.benchmarks.measure.BenchRun;
import io.tutti.benchmarks.measure.LocalSession;
import io.tutti.benchmarks.measure.PeerDesk;
import io.tutti.benchmarks.peer.OpenMpiPeer;
import io.tutti.benchmarks.report.BenchCsv;
import io.tutti.benchmarks.report.BenchJson;
import io.tutti.benchmarks.report.BenchTable;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.launcher.cli.ClusterOptions;
import io.tutti.launcher.cli.ConsoleProgress;
import io.tutti.launcher.cli.ExitStatus;
import io.tutti.launcher.cli.Placement;
import io.tutti.launcher.cli.ReportOptions;
import io.tutti.launcher.cli.StandardOptions;
import io.tutti.launcher.files.TargetFile;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.spi.CommandContext;
import io.tutti.launcher.spi.Console;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tutti bench}. */
@Command(
        name = BenchCommand.NAME,
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
            "  tutti bench --ranks 2 --processes 2 --json",
            "  tutti bench --ranks 4 --tokens 1,64,1024 --hidden 4096,8192 --dtype bf16,fp32 --csv figures.csv"
        })
final class BenchCommand implements Callable<Integer> {

    static final String NAME = "bench";

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

    @Spec
    CommandSpec spec;

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        StderrLogging.setVerbose(report.verbose());
        if (bench.csv != null) {
            TargetFile.check(bench.csv);
        }
        Console console = context.console();
        Placement placement = cluster.processes() == 1 ? new Placement.Here() : new Placement.Elsewhere();
        BenchPreparation prepared = BenchPreparation.of(cluster, bench, console.environment(), placement);
        BenchRun.Outcome outcome = measure(prepared);
        if (bench.csv != null) {
            CsvFile.write(bench.csv, BenchCsv.of(outcome.rows()));
        }
        if (report.json()) {
            console.out().println(BenchJson.of(prepared.driver(), outcome.rows()));
        }
        return status(outcome);
    }

    private BenchRun.Outcome measure(BenchPreparation prepared) {
        ConsoleProgress progress = new ConsoleProgress(context.console(), System::nanoTime);
        try (PeerDesk desk = new PeerDesk(context.waits(), line -> note(progress, "tutti bench: " + line))) {
            if (bench.epilogue == Epilogue.RESIDUAL_RMSNORM && bench.dtypes.contains(DType.FP32)) {
                int ranks = prepared.communicator().worldSize();
                desk.add(OpenMpiPeer.open(ranks, context.console().environment(), PEER_START));
            }
            BenchTable table = new BenchTable(desk.names());
            if (!report.json()) {
                print(progress, title(prepared));
                print(progress, table.header());
            }
            BenchRun run = new BenchRun(
                    prepared.request(), prepared::limits, desk, progress, row -> show(progress, table, row));
            return cluster.processes() == 1
                    ? here(prepared, progress, run)
                    : new BenchProcesses(context, progress, line -> log(progress, line))
                            .use(
                                    prepared,
                                    cluster.processes(),
                                    spec.commandLine().getParseResult().originalArgs(),
                                    run::run);
        } finally {
            progress.done();
        }
    }

    private BenchRun.Outcome here(BenchPreparation prepared, ConsoleProgress progress, BenchRun run) {
        return new LocalSession(context.starter(), context.waits(), progress)
                .use(
                        prepared.config(),
                        prepared.communicator().name(),
                        prepared.longestLimits().forming(),
                        prepared.request().setting(),
                        run::run);
    }

    private String title(BenchPreparation prepared) {
        return "# " + count(prepared.communicator().worldSize(), "rank", "ranks") + " in "
                + count(cluster.processes(), "process", "processes") + ", driver " + prepared.driver() + ", "
                + bench.epilogue.wireName();
    }

    private static String count(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
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

    private void log(ConsoleProgress progress, String line) {
        if (report.verbose()) {
            note(progress, line);
        }
    }

    private void note(ConsoleProgress progress, String line) {
        progress.done();
        context.console().err().println(line);
        context.console().err().flush();
    }

    private static int status(BenchRun.Outcome outcome) {
        if (!outcome.right()) {
            return ExitStatus.FAILED;
        }
        return outcome.promiseRefused() ? ExitStatus.PROMISE_REFUSED : ExitStatus.GOOD;
    }
}
