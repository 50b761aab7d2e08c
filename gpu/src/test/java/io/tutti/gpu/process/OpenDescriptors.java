package io.tutti.gpu.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The descriptors of this process that the local service could leak; files and pipes come and go with the JVM. */
final class OpenDescriptors {

    static {
        // The JVM keeps a socket of its own from the first file channel on.
        try (FileChannel channel = FileChannel.open(Path.of("/proc/self/stat"))) {
            channel.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OpenDescriptors() {}

    static List<String> now() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(OpenDescriptors::target)
                    .filter(name -> name.startsWith("socket:")
                            || name.startsWith("anon_inode:[eventfd]")
                            || name.contains("memfd:"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "gone";
        }
    }

    static List<String> localThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("tutti-local-"))
                .sorted()
                .toList();
    }
}
