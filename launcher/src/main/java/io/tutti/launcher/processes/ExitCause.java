package io.tutti.launcher.processes;

import java.util.Map;

/** What the exit value of a process says, in words. */
final class ExitCause {

    /** Java reports a process that a signal ended as this plus the signal's number. */
    private static final int SIGNALLED = 128;

    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 9, "SIGKILL", 11, "SIGSEGV",
            15, "SIGTERM");

    private ExitCause() {}

    /** Such as {@code killed by SIGKILL} or {@code exit status 1}. */
    static String describe(int exitValue) {
        if (exitValue > SIGNALLED && exitValue < 2 * SIGNALLED) {
            int signal = exitValue - SIGNALLED;
            return "killed by " + SIGNALS.getOrDefault(signal, "signal " + signal);
        }
        return "exit status " + exitValue;
    }
}
