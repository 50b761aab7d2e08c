package io.tutti.launcher.processes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines that a process logged, for the message about its end. Thread-safe. */
final class LogTail {

    private static final int LINES = 5;
    private static final int LINE_LENGTH = 300;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        lines.addLast(line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "…" : line);
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
