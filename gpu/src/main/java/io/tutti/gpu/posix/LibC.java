package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The C library's calls, bound directly. Each throws {@link LastErrorException} with the call's {@code errno}. Only 64-bit
 * Linux has all of them; ask {@link #unavailable()} before the first call.
 *
 * <p>JNA unpacks its library into a file of a new name and removes the file as soon as it is loaded, so processes that
 * start together do not meet, and only a process killed within those milliseconds leaves one. Where that matters, set
 * {@code jna.boot.library.path} to a directory that holds the library, and {@code jna.nounpack}.
 */
public final class LibC {

    static final int MFD_CLOEXEC = 1;
    static final int MFD_ALLOW_SEALING = 2;
    static final int F_DUPFD_CLOEXEC = 1030;
    static final int F_ADD_SEALS = 1033;
    static final int F_GET_SEALS = 1034;
    static final int F_SEAL_SEAL = 1;
    static final int F_SEAL_SHRINK = 2;
    static final int F_SEAL_GROW = 4;
    static final int O_RDWR = 2;
    static final int O_CLOEXEC = 0x80000;
    static final int PROT_READ_WRITE = 3;
    static final int MAP_SHARED = 1;
    static final int MAP_POPULATE = 0x8000;
    static final int EINTR = 4;

    private static final @Nullable String UNAVAILABLE = bind();

    private LibC() {}

    /** Why these calls cannot be made here, or null where they can. */
    public static @Nullable String unavailable() {
        return UNAVAILABLE;
    }

    private static @Nullable String bind() {
        try {
            if (!Platform.isLinux() || Native.LONG_SIZE != Long.BYTES) {
                return "not 64-bit Linux: os=" + System.getProperty("os.name") + " arch="
                        + System.getProperty("os.arch");
            }
            Native.register(LibC.class, Platform.C_LIBRARY_NAME);
            return null;
        } catch (LinkageError | RuntimeException e) {
            return "the C library cannot be bound: " + e;
        }
    }

    static native int memfd_create(String name, int flags) throws LastErrorException;

    static native int fallocate(int fd, int mode, long offset, long bytes) throws LastErrorException;

    static native int ftruncate(int fd, long bytes) throws LastErrorException;

    /** Declared without its variable arguments: an int travels the same way on the platforms bound here. */
    static native int fcntl(int fd, int command, int argument) throws LastErrorException;

    static native int open(String path, int flags) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;

    static native Pointer mmap(@Nullable Pointer address, long bytes, int protection, int flags, int fd, long offset)
            throws LastErrorException;

    static native int sched_getaffinity(int thread, long maskBytes, byte[] mask) throws LastErrorException;

    static native int sched_setaffinity(int thread, long maskBytes, byte[] mask) throws LastErrorException;

    static native int munmap(Pointer address, long bytes) throws LastErrorException;
}
