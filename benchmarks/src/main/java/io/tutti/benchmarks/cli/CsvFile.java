package io.tutti.benchmarks.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.files.TargetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a text file whole or not at all. */
final class CsvFile {

    private CsvFile() {}

    /** @throws TuttiException with code SYSTEM when it cannot be written; what was there before is still there then */
    static void write(Path path, String text) {
        TargetFile place = TargetFile.of(path);
        try {
            Files.writeString(place.temporary(), text, StandardOpenOption.CREATE_NEW);
            Files.move(place.temporary(), place.target(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.SYSTEM,
                            "the CSV file could not be written: file=" + path + " cause=" + e,
                            "Check the disk and the permissions, or name another file with --csv."),
                    e);
        } finally {
            discard(place.temporary());
        }
    }

    private static void discard(Path fresh) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            // A file that was not moved stays behind; the failure that led here is the one to tell.
        }
    }
}
