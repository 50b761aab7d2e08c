package io.tutti.gpu.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The device files of IMEX channels; a container has those that were passed to it. */
final class ImexChannels {

    private static final Path FOLDER = Path.of("/dev/nvidia-caps-imex-channels");

    private ImexChannels() {}

    /** Whether there is one that this process may open. */
    static boolean openable() {
        return openable(FOLDER);
    }

    static boolean openable(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> channels = Files.list(folder)) {
            return channels.anyMatch(channel -> Files.isReadable(channel) && Files.isWritable(channel));
        } catch (IOException e) {
            return false;
        }
    }
}
