package io.tutti.launcher.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tutti} without a command. */
@Command(
        name = "tutti",
        versionProvider = Version.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Collective communication for the JVM: every GPU rank is an Apache Pekko actor.",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tutti run                 four emulated ranks, one fused all-reduce, every element checked",
            "  tutti preflight           what each rank can and cannot use here, and why",
            "  tutti plan --topology h200-8   which path such a machine would take, and why",
            "  tutti run --help          all options of a command"
        })
final class RootCommand implements Runnable {

    @Mixin
    StandardOptions standard;

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing: give one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
