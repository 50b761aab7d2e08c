package io.tutti.benchmarks.cli;

import io.tutti.benchmarks.measure.LocalSession;
import io.tutti.benchmarks.measure.RankServant;
import io.tutti.launcher.cli.ClusterOptions;
import io.tutti.launcher.cli.ExitStatus;
import io.tutti.launcher.cli.Placement;
import io.tutti.launcher.cli.ReportOptions;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.processes.LauncherLink;
import io.tutti.launcher.spi.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code tutti bench-rank-process}, which only {@code tutti bench --processes} starts: takes the same options, and its
 * share of the ranks from stdin; does there what it is asked, one command after another.
 */
@Command(name = BenchRankProcessCommand.NAME, hidden = true)
final class BenchRankProcessCommand implements Callable<Integer> {

    static final String NAME = "bench-rank-process";

    private final CommandContext context;

    @Mixin
    ClusterOptions cluster;

    @Mixin
    BenchOptions bench;

    @Mixin
    ReportOptions report;

    BenchRankProcessCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        StderrLogging.setVerbose(report.verbose());
        try (LauncherLink link = LauncherLink.open(
                context.support().stdin(),
                context.console().out(),
                context.waits(),
                context.support().halt())) {
            try {
                serve(link);
                return ExitStatus.GOOD;
            } catch (RuntimeException | Error e) {
                link.failed(e);
                e.printStackTrace(context.console().err());
                return ExitStatus.FAILED;
            }
        }
    }

    private void serve(LauncherLink link) {
        Placement placement = new Placement.Share(link.awaitJob());
        BenchPreparation prepared =
                BenchPreparation.of(cluster, bench, context.console().environment(), placement);
        new LocalSession(link.announcing(context.starter()), context.waits(), link.progress())
                .use(
                        prepared.config(),
                        prepared.communicator().name(),
                        prepared.longestLimits().forming(),
                        prepared.request().setting(),
                        ranks -> {
                            RankServant servant = new RankServant(ranks);
                            try {
                                link.answer(servant::answer);
                            } catch (RuntimeException | Error e) {
                                // Told before anything is closed, which may take a while.
                                link.failed(e);
                                throw e;
                            }
                            return true;
                        });
    }
}
