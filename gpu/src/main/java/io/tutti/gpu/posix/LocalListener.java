package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening local socket. Used by one thread at a time. */
public final class LocalListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalListener.class);

    private final LocalAddress address;
    private int fd;

    private LocalListener(LocalAddress address, int fd) {
        this.address = address;
        this.fd = fd;
    }

    /**
     * Binds and listens.
     *
     * @param backlog connections that may wait to be accepted; connecting waits beyond
     * @throws IOException for example when somebody else listens there
     */
    public static LocalListener listen(LocalAddress address, int backlog) throws IOException {
        SocketCalls.require();
        LocalListener listener = null;
        try {
            int fd = SocketCalls.socket(
                    SocketCalls.AF_UNIX,
                    SocketCalls.SOCK_STREAM | SocketCalls.SOCK_CLOEXEC | SocketCalls.SOCK_NONBLOCK,
                    0);
            listener = new LocalListener(address, fd);
            Memory sockaddr = SocketCalls.sockaddr(address);
            SocketCalls.bind(fd, sockaddr, (int) sockaddr.size());
            SocketCalls.listen(fd, backlog);
            return listener;
        } catch (LastErrorException e) {
            if (listener != null) {
                Descriptors.close(listener.fd);
            }
            throw SocketCalls.failed("bind", address, e);
        }
    }

    public LocalAddress address() {
        return address;
    }

    /** The descriptor, for polling; −1 after {@link #close}. */
    public int descriptor() {
        return fd;
    }

    /** The next connection, or null when none waits. */
    public @Nullable LocalSocket accept() throws IOException {
        try {
            return new LocalSocket(SocketCalls.accept4(fd, null, null, SocketCalls.SOCK_CLOEXEC));
        } catch (LastErrorException e) {
            if (e.getErrorCode() == SocketCalls.EAGAIN || e.getErrorCode() == LibC.EINTR) {
                return null;
            }
            throw SocketCalls.failed("accept", address, e);
        }
    }

    @Override
    public void close() {
        if (fd < 0) {
            return;
        }
        Descriptors.close(fd);
        fd = -1;
        if (address instanceof LocalAddress.SocketFile file) {
            try {
                Files.deleteIfExists(Path.of(file.path()));
            } catch (IOException e) {
                LOG.warn("the socket file {} was not removed: {}", file.path(), e.toString());
            }
        }
    }
}
