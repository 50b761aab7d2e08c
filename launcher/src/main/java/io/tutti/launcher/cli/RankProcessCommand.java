package io.tutti.launcher.cli;

import io.tutti.launcher.processes.LauncherLink;
import io.tutti.launcher.processes.ProcessMessage;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.run.RunJob;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code tutti rank-process}, which only {@code tutti run --processes} starts: takes the same options as {@code run} and
 * its share of the ranks from stdin, and answers on stdout in lines for the launcher.
 */
@Command(name = RankProcessCommand.NAME, hidden = true, versionProvider = Version.class)
final class RankProcessCommand implements Callable<Integer> {

    static final String NAME = "rank-process";

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final RankProcessSupport support;

    @Mixin
    RunOptions options;

    RankProcessCommand(Console console, RunRuntime.Starter starter, Waits waits, RankProcessSupport support) {
        this.console = console;
        this.starter = starter;
        this.waits = waits;
        this.support = support;
    }

    @Override
    public Integer call() {
        options.startLogging();
        try (LauncherLink link = LauncherLink.open(support.stdin(), console.out(), waits, support.halt())) {
            try {
                run(link);
                return ExitStatus.GOOD;
            } catch (RuntimeException | Error e) {
                link.failed(e);
                e.printStackTrace(console.err());
                return ExitStatus.FAILED;
            }
        }
    }

    private void run(LauncherLink link) {
        ProcessMessage.Job job = link.awaitJob();
        RunPreparation preparation = options.preparation(console.environment(), new Placement.Share(job));
        try (RunPreparation.Prepared prepared = preparation.prepare()) {
            new RunJob(link.announcing(starter), waits, link.progress(), link.agreement())
                    .run(prepared.request(), prepared.config());
        }
    }
}
