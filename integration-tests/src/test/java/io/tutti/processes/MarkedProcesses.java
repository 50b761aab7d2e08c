package io.tutti.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds processes by an argument on their command line. */
final class MarkedProcesses {

    private static final Path PROC = Path.of("/proc");

    private MarkedProcesses() {}

    static List<Long> pids(String mark) {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries.filter(entry -> entry.getFileName().toString().matches("[0-9]+"))
                    .filter(entry -> arguments(entry).contains(mark))
                    .map(entry -> Long.valueOf(entry.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> arguments(Path process) {
        try {
            return List.of(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .split("\0"));
        } catch (IOException e) {
            // It has ended meanwhile.
            return List.of();
        }
    }
}
