package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A name that at most one holder on this machine has at a time: a socket's name in the abstract namespace, which the system
 * frees whenever and however the holder's process ends. Where there are no such names, it is one holder in this JVM.
 */
public final class NameLock implements AutoCloseable {

    private static final int IN_USE = -1;
    private static final int NO_SOCKET = -2;
    private static final Set<String> IN_THIS_JVM = ConcurrentHashMap.newKeySet();

    private final String name;
    private final int fd;
    private boolean closed;

    private NameLock(String name, int fd) {
        this.name = name;
        this.fd = fd;
    }

    /**
     * Takes the name.
     *
     * @return null when somebody has it
     * @throws IOException when the system has no socket left
     */
    public static @Nullable NameLock tryTake(String name) throws IOException {
        if (!IN_THIS_JVM.add(name)) {
            return null;
        }
        boolean taken = false;
        try {
            int fd = LibC.unavailable() == null ? bind(name) : NO_SOCKET;
            taken = fd != IN_USE;
            return taken ? new NameLock(name, fd) : null;
        } finally {
            if (!taken) {
                IN_THIS_JVM.remove(name);
            }
        }
    }

    private static int bind(String name) throws IOException {
        LocalAddress address = new LocalAddress.Abstract(name);
        int fd = -1;
        try {
            fd = SocketCalls.socket(SocketCalls.AF_UNIX, SocketCalls.SOCK_STREAM | SocketCalls.SOCK_CLOEXEC, 0);
            Memory sockaddr = SocketCalls.sockaddr(address);
            SocketCalls.bind(fd, sockaddr, (int) sockaddr.size());
            return fd;
        } catch (LastErrorException e) {
            if (fd >= 0) {
                Descriptors.close(fd);
            }
            if (e.getErrorCode() == SocketCalls.EADDRINUSE) {
                return IN_USE;
            }
            throw SocketCalls.failed("bind", address, e);
        }
    }

    /** Gives the name back, once. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (fd != NO_SOCKET) {
            Descriptors.close(fd);
        }
        IN_THIS_JVM.remove(name);
    }
}
