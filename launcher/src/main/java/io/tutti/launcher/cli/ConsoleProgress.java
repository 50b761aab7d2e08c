package io.tutti.launcher.cli;

import io.tutti.launcher.run.Progress;
import io.tutti.launcher.spi.Console;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows on stderr how far a long run is: nothing in its first seconds, then a line every two seconds, on a terminal
 * always the same line. Confined to the run's thread.
 */
public final class ConsoleProgress implements Progress {

    private static final long SILENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(2);
    private static final String ERASE_LINE = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean terminal;
    private final LongSupplier clock;
    private long next;
    private boolean lineOpen;

    public ConsoleProgress(Console console, LongSupplier clock) {
        this.err = console.err();
        this.terminal = console.terminal();
        this.clock = clock;
        this.next = clock.getAsLong() + SILENCE;
    }

    @Override
    public void at(String what, long done, long total) {
        long now = clock.getAsLong();
        if (now - next < 0) {
            return;
        }
        next = now + INTERVAL;
        String line = what + " " + done + " of " + total;
        if (terminal) {
            err.print(ERASE_LINE + line);
            lineOpen = true;
        } else {
            err.println(line);
        }
        err.flush();
    }

    /** Removes the line from a terminal before anything else is shown. */
    public void done() {
        if (lineOpen) {
            err.print(ERASE_LINE);
            err.flush();
            lineOpen = false;
        }
    }
}
