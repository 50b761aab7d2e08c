package io.tutti.launcher.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.CommandContext;
import io.tutti.launcher.spi.CommandProvider;
import io.tutti.launcher.spi.Console;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;

/**
 * The whole command line as a function from arguments to an exit status; it neither exits the process nor touches the
 * process's own streams.
 */
public final class CommandLineProgram {

    /** The program's name, and the command of a failure before any command was recognised. */
    static final String NAME = "tutti";

    private static final int HELP_WIDTH = 110;

    private static final ErrorInfo STUCK = ErrorInfo.of(
            ErrorCode.ABORTED,
            "the run was stopped, and did not close in time",
            "Run it again; if that repeats, report it with the log (--verbose).");

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final RankProcessSupport support;
    private volatile Runnable abandoned = () -> {};

    /** Without the means for several processes. */
    public CommandLineProgram(Console console, RunRuntime.Starter starter, Waits waits) {
        this(console, starter, waits, RankProcessSupport.none());
    }

    /**
     * @param starter starts the runtime once a request was found good
     * @param waits stops what is under way, from any thread
     * @param support for runs in several processes
     */
    public CommandLineProgram(Console console, RunRuntime.Starter starter, Waits waits, RankProcessSupport support) {
        this.console = console;
        this.starter = starter;
        this.waits = waits;
        this.support = support;
    }

    /** Parses and runs. Never throws. A result that stdout did not take is told on stderr, and is a failure. */
    public int run(String... arguments) {
        int status = execute(arguments);
        if (!console.out().checkError()) {
            return status;
        }
        console.err().println(NAME + ": stdout could not be written, and the result is lost. Check where stdout goes.");
        console.err().flush();
        return status == ExitStatus.BAD_REQUEST ? status : ExitStatus.FAILED;
    }

    private int execute(String... arguments) {
        FailureReport report = new FailureReport(console, List.of(arguments));
        String command = NAME;
        try {
            CommandLine commands = commands();
            String named = command(commands, arguments);
            command = named;
            abandoned = () -> report.failure(named, new TuttiException(STUCK));
            return commands.setExpandAtFiles(false)
                    .setOut(console.out())
                    .setErr(console.err())
                    .setUsageHelpWidth(HELP_WIDTH)
                    .setParameterExceptionHandler((mistake, all) -> report.usage(mistake))
                    .setExecutionExceptionHandler((failure, failed, parsed) ->
                            report.failure(failed.getCommandName(), waits.explain(failure)))
                    .execute(arguments);
        } catch (Throwable e) {
            return report.failure(command, e);
        } finally {
            console.out().flush();
            console.err().flush();
        }
    }

    /** Tells, in place of the command, that it did not end when it was stopped; for a process that is about to end. */
    public void abandon() {
        abandoned.run();
    }

    private static String command(CommandLine commands, String... arguments) {
        return Arrays.stream(arguments)
                .filter(commands.getSubcommands()::containsKey)
                .findFirst()
                .orElse(NAME);
    }

    /** This module's commands, then those that other modules on the class path provide. */
    private CommandLine commands() {
        CommandLine commands = new CommandLine(new RootCommand())
                .addSubcommand(new RunCommand(console, starter, waits, support))
                .addSubcommand(new PreflightCommand(console, starter, waits, support))
                .addSubcommand(new PlanCommand(console))
                .addSubcommand(new ExplainCommand(console))
                .addSubcommand(new RankProcessCommand(console, starter, waits, support))
                .addSubcommand(new PreflightProcessCommand(console, starter, waits, support));
        CommandContext context = new CommandContext(console, starter, waits, support);
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            provider.commands(context).forEach(commands::addSubcommand);
        }
        return commands;
    }
}
