package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One memfd, mapped whole into this process. Its size is sealed, so no holder of the descriptor can pull pages from under
 * another, and its pages are reserved, so that a store never meets a full machine. {@link #unmap()} is the owner's
 * promise that no thread touches a buffer of it any more: a later access would end the JVM.
 */
public final class SharedMemory {

    private static final int SIZE_SEALS = LibC.F_SEAL_SHRINK | LibC.F_SEAL_GROW;

    private final int fd;
    private final long bytes;
    private final Pointer base;

    private SharedMemory(int fd, long bytes, Pointer base) {
        this.fd = fd;
        this.bytes = bytes;
        this.base = base;
    }

    /** Creates, reserves, seals and maps {@code bytes} zeroed bytes. */
    public static SharedMemory create(String name, long bytes) throws IOException {
        int fd = -1;
        try {
            fd = LibC.memfd_create(name, LibC.MFD_CLOEXEC | LibC.MFD_ALLOW_SEALING);
            reserve(fd, bytes);
            LibC.fcntl(fd, LibC.F_ADD_SEALS, SIZE_SEALS | LibC.F_SEAL_SEAL);
            return new SharedMemory(fd, bytes, map(fd, bytes));
        } catch (LastErrorException e) {
            if (fd >= 0) {
                Descriptors.close(fd);
            }
            throw new IOException("shared memory was not created: bytes=" + bytes + " errno=" + e.getErrorCode(), e);
        }
    }

    /**
     * Maps the shared memory behind a descriptor, which stays the caller's.
     *
     * @throws IOException when the descriptor is closed, or its size is not sealed
     */
    public static SharedMemory attach(int descriptor) throws IOException {
        int fd = Descriptors.duplicate(descriptor);
        try {
            int seals = LibC.fcntl(fd, LibC.F_GET_SEALS, 0);
            if ((seals & SIZE_SEALS) != SIZE_SEALS) {
                throw new IOException("the descriptor's size is not sealed: fd=" + descriptor + " seals=" + seals);
            }
            long bytes = Descriptors.size(fd);
            return new SharedMemory(fd, bytes, map(fd, bytes));
        } catch (LastErrorException e) {
            Descriptors.close(fd);
            throw Descriptors.failed("attach", descriptor, e);
        } catch (IOException e) {
            Descriptors.close(fd);
            throw e;
        }
    }

    private static void reserve(int fd, long bytes) {
        while (true) {
            try {
                LibC.fallocate(fd, 0, 0, bytes);
                return;
            } catch (LastErrorException e) {
                if (e.getErrorCode() != LibC.EINTR) {
                    throw e;
                }
            }
        }
    }

    private static Pointer map(int fd, long bytes) {
        // Populated, since a page fault in the middle of an exchange costs more than the exchange.
        return LibC.mmap(null, bytes, LibC.PROT_READ_WRITE, LibC.MAP_SHARED | LibC.MAP_POPULATE, fd, 0);
    }

    /** This process's own descriptor, open until {@link #unmap()}; never closed by a caller. */
    public int fd() {
        return fd;
    }

    public long bytes() {
        return bytes;
    }

    /** A view of {@code length} bytes from {@code offset} on, in native order. */
    public ByteBuffer view(long offset, int length) {
        return base.getByteBuffer(offset, length).order(ByteOrder.nativeOrder());
    }

    /** Gives the mapping and the descriptor back; other processes keep theirs. */
    public void unmap() {
        LibC.munmap(base, bytes);
        Descriptors.close(fd);
    }
}
