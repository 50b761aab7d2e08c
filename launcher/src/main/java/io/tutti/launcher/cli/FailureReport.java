package io.tutti.launcher.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.launcher.report.ErrorJson;
import io.tutti.launcher.report.ErrorText;
import io.tutti.launcher.run.Failures;
import io.tutti.launcher.spi.Console;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells a failure the same way whatever it is: one JSON object on stdout when JSON was asked for, a short message on
 * stderr otherwise, a stack trace only when asked for.
 */
final class FailureReport {

    /** What follows it is no option. */
    private static final String END_OF_OPTIONS = "--";

    private final Console console;
    private final List<String> options;
    private final boolean json;
    private final boolean verbose;

    /** @param arguments looked through for what was asked for, since a mistake in them may hide it from the parser */
    FailureReport(Console console, List<String> arguments) {
        this.console = console;
        int end = arguments.indexOf(END_OF_OPTIONS);
        this.options = end < 0 ? arguments : arguments.subList(0, end);
        this.json = asked(ReportOptions.JSON);
        this.verbose = asked(ReportOptions.VERBOSE);
    }

    private boolean asked(String option) {
        return options.contains(option) || options.contains(option + "=true");
    }

    /** A command line that could not be parsed. */
    int usage(ParameterException mistake) {
        CommandSpec spec = mistake.getCommandLine().getCommandSpec();
        String help = "See: " + spec.qualifiedName() + " --help";
        if (!(mistake instanceof UnmatchedArgumentException unmatched)) {
            return tell(
                    spec.name(), ErrorInfo.of(ErrorCode.USAGE, String.valueOf(mistake.getMessage()), help), mistake);
        }
        String written = unmatched.getUnmatched().get(0);
        String name = written.replaceFirst("=.*", "");
        boolean option = written.startsWith("-") && options.contains(written);
        String kind =
                option ? "unknown option" : spec.subcommands().isEmpty() ? "unexpected argument" : "unknown command";
        String meant = Usage.hint(
                option ? spec.optionsMap().keySet() : spec.subcommands().keySet(), name);
        return tell(spec.name(), ErrorInfo.of(ErrorCode.USAGE, kind + ": " + written, meant + help), mistake);
    }

    /** Anything else that a command threw. */
    int failure(String command, Throwable failure) {
        return tell(command, Failures.info(failure), failure);
    }

    private int tell(String command, ErrorInfo error, Throwable cause) {
        if (json) {
            console.out().println(ErrorJson.of(command, error));
        }
        if (!json || console.out().checkError()) {
            String program = CommandLineProgram.NAME;
            console.err().print(ErrorText.of(command.equals(program) ? program : program + " " + command, error));
        }
        if (verbose) {
            cause.printStackTrace(console.err());
        }
        console.out().flush();
        console.err().flush();
        return ExitStatus.of(error.code());
    }
}
