package io.tutti.launcher;

import io.tutti.launcher.cli.CommandLineProgram;
import io.tutti.launcher.processes.JvmCommand;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.processes.TuttiNode;
import io.tutti.launcher.run.TuttiRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The process: its streams, its signals and its exit status. Everything else is {@link CommandLineProgram}'s. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        // First of all, so that a signal is answered from the first moment on.
        Waits waits = new Waits();
        StopOnSignal signals = StopOnSignal.install(waits);
        // stdout belongs to the command's result; whatever a library prints there goes to stderr instead.
        System.setOut(System.err);
        Console console = new Console(
                writer(FileDescriptor.out), writer(FileDescriptor.err), System.console() != null, System.getenv());
        RankProcessSupport support = new RankProcessSupport(
                () -> JvmCommand.current(Main.class),
                TuttiNode::start,
                System.in,
                () -> Runtime.getRuntime().halt(1));
        CommandLineProgram program = new CommandLineProgram(console, TuttiRuntime::start, waits, support);
        signals.whenStuck(program::abandon);
        int status = program.run(arguments);
        signals.finished();
        System.exit(status);
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
    }
}
