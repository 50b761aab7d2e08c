package io.tutti.launcher.cli;

import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.util.List;
import picocli.CommandLine;

/**
 * The whole command line as a function from arguments to an exit status; it neither exits the process nor touches the
 * process's own streams.
 */
public final class CommandLineProgram {

    /** The program's name, and the command of a failure before any command was recognised. */
    static final String NAME = "tutti";

    private static final int HELP_WIDTH = 110;

    private final Console console;
    private final RunRuntime.Starter starter;
    private final Waits waits;

    /**
     * @param starter starts the runtime once a request was found good
     * @param waits stops what is under way, from any thread
     */
    public CommandLineProgram(Console console, RunRuntime.Starter starter, Waits waits) {
        this.console = console;
        this.starter = starter;
        this.waits = waits;
    }

    /** Parses and runs. Never throws. */
    public int run(String... arguments) {
        FailureReport report = new FailureReport(console, List.of(arguments));
        CommandLine commandLine = new CommandLine(new RootCommand())
                .addSubcommand(new RunCommand(console, starter, waits))
                .setOut(console.out())
                .setErr(console.err())
                .setUsageHelpWidth(HELP_WIDTH)
                .setParameterExceptionHandler((mistake, all) -> report.usage(mistake))
                .setExecutionExceptionHandler(
                        (failure, failed, parsed) -> report.failure(failed.getCommandName(), failure));
        try {
            return commandLine.execute(arguments);
        } catch (Throwable e) {
            return report.failure(NAME, e);
        } finally {
            console.out().flush();
            console.err().flush();
        }
    }
}
