package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Owning and inspecting descriptors of this process. Thread-safe; a descriptor's owner closes it exactly once. */
public final class Descriptors {

    private Descriptors() {}

    /**
     * Closes a descriptor that the caller owns, for example one exported by the driver.
     *
     * @return false when it was not open
     */
    public static boolean close(int fd) {
        try {
            return LibC.close(fd) == 0;
        } catch (LastErrorException e) {
            return false;
        }
    }

    /** A second descriptor of the same file, closed on exec. */
    public static int duplicate(int fd) throws IOException {
        try {
            return LibC.fcntl(fd, LibC.F_DUPFD_CLOEXEC, 0);
        } catch (LastErrorException e) {
            throw failed("fcntl", fd, e);
        }
    }

    /** A descriptor of the file at {@code path}, read and write, closed on exec. */
    public static int open(Path path) throws IOException {
        try {
            return LibC.open(path.toString(), LibC.O_RDWR | LibC.O_CLOEXEC);
        } catch (LastErrorException e) {
            throw new IOException("open failed: path=" + path + " errno=" + e.getErrorCode(), e);
        }
    }

    /** What the kernel calls the open file, for example {@code /memfd:name (deleted)}. */
    public static String name(int fd) throws IOException {
        return Files.readSymbolicLink(path(fd)).toString();
    }

    public static long size(int fd) throws IOException {
        return Files.size(path(fd));
    }

    /** Where another process of the same user finds the descriptor while this one holds it. */
    public static Path path(long pid, int fd) {
        return Path.of("/proc", Long.toString(pid), "fd", Integer.toString(fd));
    }

    private static Path path(int fd) {
        return Path.of("/proc/self/fd", Integer.toString(fd));
    }

    static IOException failed(String call, int fd, LastErrorException e) {
        return new IOException(call + " failed: fd=" + fd + " errno=" + e.getErrorCode(), e);
    }
}
