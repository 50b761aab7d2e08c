package io.tutti.benchmarks.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Writes a text file whole or not at all. */
final class CsvFile {

    private CsvFile() {}

    /** @throws TuttiException with code SYSTEM when it cannot be written; what was there before is still there then */
    static void write(Path path, String text) {
        Path fresh = null;
        try {
            Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
            fresh = Files.createTempFile(target.getParent(), "." + target.getFileName(), ".part");
            Files.writeString(fresh, text);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.SYSTEM,
                            "the CSV file could not be written: file=" + path + " cause=" + e,
                            "Check the disk and the permissions, or name another file with --csv."),
                    e);
        } finally {
            discard(fresh);
        }
    }

    private static void discard(@Nullable Path fresh) {
        try {
            if (fresh != null) {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            // A file that was not moved stays behind; the failure that led here is the one to tell.
        }
    }
}
