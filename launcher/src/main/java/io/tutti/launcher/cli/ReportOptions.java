package io.tutti.launcher.cli;

import picocli.CommandLine.Option;

/** How a command tells its result. */
public final class ReportOptions {

    static final String JSON = "--json";
    static final String VERBOSE = "--verbose";

    @Option(
            names = JSON,
            order = 90,
            description = "Print exactly one JSON object on stdout, also on failure. Everything else goes to stderr.")
    boolean json;

    @Option(names = VERBOSE, order = 91, description = "Log what happens to stderr, and show stack traces.")
    boolean verbose;

    /** Whether stdout is to hold one JSON object and nothing else. */
    public boolean json() {
        return json;
    }

    /** Whether what happens is to be logged. */
    public boolean verbose() {
        return verbose;
    }
}
