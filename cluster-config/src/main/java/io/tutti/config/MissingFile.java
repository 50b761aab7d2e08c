package io.tutti.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says why a name leads to no file, of which the absence of a file is only one reason. */
public final class MissingFile {

    private MissingFile() {}

    /** What is wrong with a name for which {@link Files#exists} is false, to follow the name. */
    public static String why(Path file) {
        try {
            return Files.exists(file.toRealPath()) ? "did not exist a moment ago" : "does not exist";
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(file)
                    ? "is a symbolic link to " + target(file) + ", which does not exist"
                    : "does not exist";
        } catch (AccessDeniedException e) {
            return "cannot be reached by this user";
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            return reason.contains("symbolic link")
                    ? "leads into a loop of symbolic links"
                    : "cannot be reached (" + reason + ")";
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "another file";
        }
    }
}
