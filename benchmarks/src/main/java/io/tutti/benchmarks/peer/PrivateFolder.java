package io.tutti.benchmarks.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Folders that only this user can read, and their removal. */
final class PrivateFolder {

    private static final String OWNER_ONLY = "rwx------";

    private PrivateFolder() {}

    /** Makes the folder and what is missing above it. */
    static Path make(Path folder) throws IOException {
        return Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    }

    /** Makes a new folder of a name that begins so. */
    static Path makeNew(Path parent, String prefix) throws IOException {
        return Files.createTempDirectory(
                parent, prefix, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    }

    /** Deletes a file or a folder with everything in it, as far as it can; null does nothing. */
    static void deleteQuietly(@Nullable Path path) {
        if (path == null) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            // Gone already, or going: others may delete in it at the same time.
            all = List.of(path);
        }
        for (Path one : all) {
            try {
                Files.deleteIfExists(one);
            } catch (IOException e) {
                // What cannot be deleted stays; nothing depends on it.
            }
        }
    }
}
