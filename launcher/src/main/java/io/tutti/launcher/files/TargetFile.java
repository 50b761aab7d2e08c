package io.tutti.launcher.files;

import io.tutti.config.MissingFile;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * A file to be written so that its name never shows a half-written one: under a temporary name in the same folder, and
 * then moved.
 *
 * @param path what the user named
 * @param target the file itself, through symbolic links, as every other way of writing a file goes
 * @param temporary a name beside it that nobody else uses
 */
public record TargetFile(Path path, Path target, Path temporary) {

    /**
     * Where to write.
     *
     * @throws TuttiException with code USAGE when the name is no place for a file
     */
    public static TargetFile of(Path path) {
        checkPlace(path);
        try {
            Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
            String name = "." + target.getFileName() + "." + UUID.randomUUID() + ".part";
            return new TargetFile(path, target, target.resolveSibling(name));
        } catch (IOException e) {
            throw notCreated(path, e);
        }
    }

    /**
     * Checks, without touching what is there, that a file can be written: creates the temporary file and removes it.
     *
     * @throws TuttiException with code USAGE when it cannot
     */
    public static void check(Path path) {
        Path temporary = of(path).temporary();
        try {
            Files.createFile(temporary);
            Files.delete(temporary);
        } catch (IOException e) {
            throw notCreated(path, e);
        }
    }

    /** Moves the temporary file over the target, whole. */
    public void publish() throws IOException {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes the temporary file if it is still there. */
    public void discard() {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // It stays behind; whoever called is already reporting why the file could not be written.
        }
    }

    private static void checkPlace(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        if (Files.isDirectory(path) || parent == null) {
            throw refused("the output is a folder", path, "Name a file in it.");
        }
        if (Files.isSymbolicLink(path) && !Files.exists(path)) {
            throw refused("the output " + MissingFile.why(path), path, "Remove the link, or name another file.");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw refused("the output exists and is not a regular file", path, "Name a regular file.");
        }
        if (!Files.exists(parent)) {
            throw refused("the output's folder " + MissingFile.why(parent), path, "Create the folder first.");
        }
        if (!Files.isDirectory(parent)) {
            throw refused("the output's folder is a file", path, "Name a file in a folder.");
        }
        if (!Files.isWritable(parent) || (Files.exists(path) && !Files.isWritable(path))) {
            throw refused("the output is not writable", path, "Check the permissions.");
        }
    }

    private static TuttiException notCreated(Path path, IOException why) {
        return refused(
                "no file can be created beside the output (" + why.getClass().getSimpleName() + ")",
                path,
                "Name a file in a folder where this user can create files.");
    }

    private static TuttiException refused(String what, Path path, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, what + ": file=" + path, advice));
    }
}
