package io.tutti.benchmarks.cli;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.files.TargetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes a text file whole or not at all. */
final class CsvFile {

    private CsvFile() {}

    /** @throws TuttiException with code SYSTEM when it cannot be written; what was there before is still there then */
    static void write(Path path, String text) {
        TargetFile place = TargetFile.of(path);
        try {
            Files.writeString(place.temporary(), text, StandardOpenOption.CREATE_NEW);
            place.publish();
        } catch (IOException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.SYSTEM,
                            "the CSV file could not be written: file=" + path + " cause=" + e,
                            "Check the disk and the permissions, or name another file with --csv."),
                    e);
        } finally {
            place.discard();
        }
    }
}
