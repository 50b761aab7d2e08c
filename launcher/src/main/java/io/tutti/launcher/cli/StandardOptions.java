package io.tutti.launcher.cli;

import picocli.CommandLine.Option;

/** The options of every command. */
public final class StandardOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = 100,
            description = "Show this help and exit.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            order = 101,
            description = "Show the version and exit.")
    boolean version;
}
