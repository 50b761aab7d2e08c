package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The C library's socket calls, bound directly, with the structures and constants of 64-bit Linux. Sockets stay in
 * blocking mode for the sake of {@code connect}; every other call is made non-blocking by its flags.
 */
final class SocketCalls {

    static final int AF_UNIX = 1;
    static final int SOCK_STREAM = 1;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOL_SOCKET = 1;
    static final int SO_PEERCRED = 17;
    static final int SO_SNDTIMEO = 21;
    static final int SCM_RIGHTS = 1;
    static final int MSG_CTRUNC = 0x8;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;
    static final int EFD_CLOEXEC = 0x80000;
    static final int EFD_NONBLOCK = 0x800;

    static final int ENOENT = 2;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int EPIPE = 32;
    static final int EADDRINUSE = 98;
    static final int ECONNRESET = 104;
    static final int ECONNREFUSED = 111;

    static {
        if (LibC.unavailable() == null) {
            Native.register(SocketCalls.class, Platform.C_LIBRARY_NAME);
        }
    }

    private SocketCalls() {}

    /**
     * Call first: the native methods may be used only after it.
     *
     * @throws IOException where the calls do not exist
     */
    static void require() throws IOException {
        String unavailable = LibC.unavailable();
        if (unavailable != null) {
            throw new IOException("sockets that carry descriptors are not available: " + unavailable);
        }
    }

    static native int socket(int domain, int type, int protocol) throws LastErrorException;

    static native int bind(int fd, Pointer address, int bytes) throws LastErrorException;

    static native int listen(int fd, int backlog) throws LastErrorException;

    static native int accept4(int fd, @Nullable Pointer address, @Nullable Pointer bytes, int flags)
            throws LastErrorException;

    static native int connect(int fd, Pointer address, int bytes) throws LastErrorException;

    static native int setsockopt(int fd, int level, int option, Pointer value, int bytes) throws LastErrorException;

    static native int getsockopt(int fd, int level, int option, Pointer value, Pointer bytes) throws LastErrorException;

    static native long sendmsg(int fd, Pointer message, int flags) throws LastErrorException;

    static native long recvmsg(int fd, Pointer message, int flags) throws LastErrorException;

    static native int geteuid() throws LastErrorException;

    static native int poll(Pointer entries, long count, int millis) throws LastErrorException;

    static native int eventfd(int initial, int flags) throws LastErrorException;

    static native int eventfd_write(int fd, long value) throws LastErrorException;

    static native int eventfd_read(int fd, Pointer value) throws LastErrorException;

    /** The {@code sockaddr_un} of exactly the length that the kernel must be told: in a name, every further byte counts. */
    static Memory sockaddr(LocalAddress address) {
        byte[] text = address.text().getBytes(StandardCharsets.UTF_8);
        Memory sockaddr = new Memory(Short.BYTES + 1 + text.length);
        sockaddr.clear();
        sockaddr.setShort(0, (short) AF_UNIX);
        sockaddr.write(Short.BYTES + (address instanceof LocalAddress.Abstract ? 1 : 0), text, 0, text.length);
        return sockaddr;
    }

    static IOException failed(String call, Object where, LastErrorException e) {
        return new IOException(call + " failed: socket=" + where + " errno=" + e.getErrorCode(), e);
    }
}
