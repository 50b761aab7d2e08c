package io.tutti.launcher.cli;

import io.tutti.launcher.preflight.PreflightJob;
import io.tutti.launcher.preflight.PreflightParts;
import io.tutti.launcher.processes.LauncherLink;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code tutti preflight-process}, which only {@code tutti preflight --processes} starts: takes the same options and its
 * share of the ranks from stdin, and keeps its communicators until the launcher has heard of all processes.
 */
@Command(name = PreflightProcessCommand.NAME, hidden = true, versionProvider = Version.class)
final class PreflightProcessCommand implements Callable<Integer> {

    static final String NAME = "preflight-process";

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final RankProcessSupport support;

    @Mixin
    PreflightOptions options;

    PreflightProcessCommand(Console console, RunRuntime.Starter starter, Waits waits, RankProcessSupport support) {
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
        DriverDecision decision = options.decide(console.environment(), new Placement.Share(link.awaitJob()));
        new PreflightJob(link.announcing(starter), waits, link.progress())
                .run(
                        PreflightOptions.communicators(decision.settings()),
                        PreflightOptions.limits(decision.settings()).forming(),
                        decision.config(),
                        reports -> {
                            link.answer(question -> PreflightParts.encode(reports));
                            return true;
                        });
    }
}
