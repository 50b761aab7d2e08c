package io.tutti.launcher.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How to start this program once more as a rank process: the same java, class path and JVM options as this process has,
 * except what two processes cannot share, and what suits only a process without ranks.
 */
public final class JvmCommand {

    /** How well a process's code is to be compiled. */
    public enum Compilation {
        /** At once and simply: for work that is done before better code would have paid for itself. */
        QUICK,
        /** As the JVM does by itself. */
        FULL
    }

    private static final String QUICK_OPTION = "-XX:TieredStopAtLevel=1";

    /** More JVM options for rank processes, separated by spaces; {@code %n} stands for the process's number. */
    public static final String OPTIONS_VARIABLE = "TUTTI_RANK_JAVA_OPTS";

    private static final List<String> OWN_OPTIONS =
            List.of("-agentlib:jdwp", "-Xrunjdwp", "-XX:ArchiveClassesAtExit", "-XX:TieredStopAtLevel");
    private static final long SMALLEST_HEAP = 256L << 20;

    /**
     * A shell starts the JVM and becomes it: a signal that is ignored then stays ignored, so that Ctrl-C reaches the
     * launcher alone, which decides what becomes of its processes.
     */
    private static final List<String> WITHOUT_INTERRUPTS = List.of("/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\"");

    private final String java;
    private final List<String> options;
    private final List<String> program;

    private JvmCommand(String java, List<String> options, List<String> program) {
        this.java = java;
        this.options = List.copyOf(options);
        this.program = List.copyOf(program);
    }

    /** The command of this very process. */
    public static JvmCommand current(Class<?> main) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return ownCommandLine()
                .flatMap(line -> parse(java, line, System.getProperty("sun.java.command", "")))
                .orElseGet(() -> classPath(java, main));
    }

    /** Without options, for a process whose own command line cannot be read. */
    private static JvmCommand classPath(String java, Class<?> main) {
        return new JvmCommand(java, List.of("-cp", System.getProperty("java.class.path", "")), List.of(main.getName()));
    }

    private static Optional<List<String>> ownCommandLine() {
        try {
            String line = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8);
            return Optional.of(List.of(line.split("\0")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Splits a JVM's command line.
     *
     * @param commandLine java, its options, what it runs, and that program's arguments
     * @param ran what the JVM says it runs: jar or class, and arguments
     */
    static Optional<JvmCommand> parse(String java, List<String> commandLine, String ran) {
        return IntStream.range(1, commandLine.size())
                .filter(i -> String.join(" ", commandLine.subList(i, commandLine.size()))
                        .equals(ran))
                .boxed()
                .findFirst()
                .map(at -> {
                    boolean jar = commandLine.get(at - 1).equals("-jar");
                    return new JvmCommand(
                            java,
                            commandLine.subList(1, jar ? at - 1 : at),
                            commandLine.subList(jar ? at - 1 : at, at + 1));
                });
    }

    /**
     * The command of one rank process.
     *
     * @param process its number
     * @param processes how many there are, which share what one JVM would take for its heap
     * @param compilation how well its code is to be compiled
     * @param environment where more options may stand
     * @param arguments the program's arguments
     */
    public List<String> rankProcess(
            int process,
            int processes,
            Compilation compilation,
            Map<String, String> environment,
            List<String> arguments) {
        List<String> command = new ArrayList<>(WITHOUT_INTERRUPTS);
        command.add(java);
        options.stream()
                .filter(option -> OWN_OPTIONS.stream().noneMatch(option::startsWith))
                .forEach(command::add);
        // stdout belongs to the conversation with the launcher, and a killed process leaves no file behind.
        command.add("-XX:+DisplayVMOutputToStderr");
        command.add("-XX:-UsePerfData");
        if (compilation == Compilation.QUICK) {
            command.add(QUICK_OPTION);
        }
        if (options.stream().noneMatch(JvmCommand::limitsHeap)) {
            long heap = Math.max(SMALLEST_HEAP, Runtime.getRuntime().maxMemory() / processes);
            command.add("-Xmx" + (heap >> 20) + "m");
        }
        for (String option : environment.getOrDefault(OPTIONS_VARIABLE, "").split(" ")) {
            if (!option.isBlank()) {
                command.add(option.replace("%n", Integer.toString(process)));
            }
        }
        command.addAll(program);
        command.addAll(arguments);
        return command;
    }

    private static boolean limitsHeap(String option) {
        return option.startsWith("-Xmx") || option.startsWith("-XX:MaxHeapSize") || option.startsWith("-XX:MaxRAM");
    }
}
