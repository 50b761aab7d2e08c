package io.tutti.actors.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One committed file of bytes: a comment line that names the message, then its bytes in hexadecimal.
 *
 * @param name the file's name without its ending
 */
record GoldenFile(String name) {

    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
    private static final String ENDING = ".hex";
    private static final int BYTES_PER_LINE = 32;

    /** The names of all committed files. */
    static Set<String> committed() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(ENDING))
                    .map(file -> file.substring(0, file.length() - ENDING.length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    boolean exists() {
        return Files.exists(path());
    }

    byte[] bytes() throws IOException {
        return HexFormat.of()
                .parseHex(Files.readAllLines(path(), StandardCharsets.UTF_8).stream()
                        .filter(line -> !line.startsWith("#"))
                        .collect(Collectors.joining()));
    }

    void write(String title, byte[] bytes) throws IOException {
        StringBuilder text = new StringBuilder("# ").append(title).append('\n');
        for (int from = 0; from < bytes.length; from += BYTES_PER_LINE) {
            HexFormat.of().formatHex(text, bytes, from, Math.min(bytes.length, from + BYTES_PER_LINE));
            text.append('\n');
        }
        Files.createDirectories(FOLDER);
        Files.writeString(path(), text, StandardCharsets.UTF_8);
    }

    private Path path() {
        return FOLDER.resolve(name + ENDING);
    }
}
