package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.ptr.IntByReference;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connected local stream socket that can carry descriptors. Used by one thread at a time; whoever holds it
 * closes it, once or more often. Nothing here waits without a deadline, and no call raises a signal.
 */
public final class LocalSocket implements AutoCloseable {

    /** What {@link #receive} and {@link #send} answer when nothing can move now. */
    public static final int NOTHING_NOW = 0;
    /** What {@link #receive} answers when the peer has closed, whether in order or by its death. */
    public static final int END = -1;

    private int fd;

    LocalSocket(int fd) {
        this.fd = fd;
    }

    /**
     * Connects, waiting while the listener's queue is full.
     *
     * @param deadlineNanos on {@link System#nanoTime}'s scale
     * @throws ConnectException when nobody listens there
     * @throws SocketTimeoutException at the deadline
     */
    public static LocalSocket connect(LocalAddress address, long deadlineNanos) throws IOException {
        SocketCalls.require();
        LocalSocket socket;
        try {
            socket = new LocalSocket(
                    SocketCalls.socket(SocketCalls.AF_UNIX, SocketCalls.SOCK_STREAM | SocketCalls.SOCK_CLOEXEC, 0));
        } catch (LastErrorException e) {
            throw SocketCalls.failed("socket", address, e);
        }
        try {
            socket.connectTo(address, deadlineNanos);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private void connectTo(LocalAddress address, long deadlineNanos) throws IOException {
        Memory sockaddr = SocketCalls.sockaddr(address);
        while (true) {
            limitSending(address, deadlineNanos);
            try {
                SocketCalls.connect(fd, sockaddr, (int) sockaddr.size());
                return;
            } catch (LastErrorException e) {
                switch (e.getErrorCode()) {
                    case LibC.EINTR -> {} // The time left is computed anew.
                    case SocketCalls.EAGAIN ->
                        throw new SocketTimeoutException(
                                "connect took too long: the listener's queue is full at " + address);
                    case SocketCalls.ECONNREFUSED, SocketCalls.ENOENT -> {
                        ConnectException refused = new ConnectException("nobody listens at " + address);
                        refused.initCause(e);
                        throw refused;
                    }
                    default -> throw SocketCalls.failed("connect", address, e);
                }
            }
        }
    }

    private void limitSending(LocalAddress address, long deadlineNanos) throws IOException {
        long micros = Math.max(1, (deadlineNanos - System.nanoTime()) / 1000);
        try (Memory timeval = new Memory(2 * Long.BYTES)) {
            timeval.setLong(0, micros / 1_000_000);
            timeval.setLong(Long.BYTES, micros % 1_000_000);
            SocketCalls.setsockopt(fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_SNDTIMEO, timeval, (int) timeval.size());
        } catch (LastErrorException e) {
            throw SocketCalls.failed("setsockopt", address, e);
        }
    }

    /** The descriptor, for polling; −1 after {@link #close}. */
    public int descriptor() {
        return fd;
    }

    public PeerCredentials peer() throws IOException {
        try (Memory credentials = new Memory(3 * Integer.BYTES)) {
            IntByReference bytes = new IntByReference((int) credentials.size());
            SocketCalls.getsockopt(
                    fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_PEERCRED, credentials, bytes.getPointer());
            return new PeerCredentials(
                    credentials.getInt(0), credentials.getInt(Integer.BYTES), credentials.getInt(2 * Integer.BYTES));
        } catch (LastErrorException e) {
            throw SocketCalls.failed("getsockopt", fd, e);
        }
    }

    /** The effective user of this process. */
    public static int ownUid() throws IOException {
        SocketCalls.require();
        return SocketCalls.geteuid();
    }

    /**
     * Sends what goes now and moves the position behind it. Descriptors travel with the first byte and stay the caller's.
     *
     * @return bytes sent, or {@link #NOTHING_NOW}
     * @throws EOFException when the peer is gone
     */
    public int send(ByteBuffer bytes, int... descriptors) throws IOException {
        byte[] data = new byte[bytes.remaining()];
        bytes.duplicate().get(data);
        try (SocketMessage message = SocketMessage.of(data, descriptors)) {
            int sent = (int)
                    SocketCalls.sendmsg(fd, message.header(), SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL);
            bytes.position(bytes.position() + sent);
            return sent;
        } catch (LastErrorException e) {
            return switch (e.getErrorCode()) {
                case SocketCalls.EAGAIN, LibC.EINTR -> NOTHING_NOW;
                case SocketCalls.EPIPE, SocketCalls.ECONNRESET -> throw gone(e);
                case SocketCalls.EBADF -> throw new ClosedDescriptorException(descriptors, e);
                default -> throw SocketCalls.failed("sendmsg", fd, e);
            };
        }
    }

    /** {@link #receive(ByteBuffer, List)} where no descriptor is expected: the kernel closes any that are sent. */
    public int receive(ByteBuffer into) throws IOException {
        return receive(into, SocketMessage.room(into.remaining(), 0), null);
    }

    /**
     * Receives what is there and moves the position behind it.
     *
     * @param descriptors gets the descriptors that came along, closed on exec, the caller's from now on
     * @return bytes received, {@link #NOTHING_NOW} or {@link #END}
     */
    public int receive(ByteBuffer into, List<Integer> descriptors) throws IOException {
        return receive(into, SocketMessage.room(into.remaining(), SocketMessage.MAX_DESCRIPTORS), descriptors);
    }

    private int receive(ByteBuffer into, SocketMessage message, @Nullable List<Integer> descriptors)
            throws IOException {
        try (message) {
            int received = (int)
                    SocketCalls.recvmsg(fd, message.header(), SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_CMSG_CLOEXEC);
            if (descriptors != null) {
                descriptors.addAll(message.descriptors());
            }
            if (received == 0) {
                return END;
            }
            into.put(message.data(received));
            return received;
        } catch (LastErrorException e) {
            return switch (e.getErrorCode()) {
                case SocketCalls.EAGAIN, LibC.EINTR -> NOTHING_NOW;
                // Death with unread data at the peer's end.
                case SocketCalls.ECONNRESET, SocketCalls.EPIPE -> END;
                default -> throw SocketCalls.failed("recvmsg", fd, e);
            };
        }
    }

    /**
     * Sends all bytes.
     *
     * @throws SocketTimeoutException at the deadline
     * @throws EOFException when the peer is gone
     */
    public void sendFully(ByteBuffer bytes, long deadlineNanos) throws IOException {
        while (bytes.hasRemaining()) {
            if (send(bytes) == NOTHING_NOW) {
                await(Poller.WRITABLE, deadlineNanos, "send");
            }
        }
    }

    /**
     * Fills the buffer.
     *
     * @param descriptors as in {@link #receive(ByteBuffer, List)}, also when this throws
     * @throws SocketTimeoutException at the deadline
     * @throws EOFException when the peer is gone before
     */
    public void receiveFully(ByteBuffer into, List<Integer> descriptors, long deadlineNanos) throws IOException {
        while (into.hasRemaining()) {
            await(Poller.READABLE, deadlineNanos, "receive");
            if (receive(into, descriptors) == END) {
                throw new EOFException(
                        "the peer closed the connection: received=" + into.position() + " missing=" + into.remaining());
            }
        }
    }

    private void await(int events, long deadlineNanos, String what) throws IOException {
        if (!Poller.await(fd, events, deadlineNanos)) {
            throw new SocketTimeoutException("the peer did not answer in time: call=" + what);
        }
    }

    private static EOFException gone(LastErrorException e) {
        EOFException gone = new EOFException("the peer closed the connection");
        gone.initCause(e);
        return gone;
    }

    @Override
    public void close() {
        if (fd >= 0) {
            Descriptors.close(fd);
            fd = -1;
        }
    }
}
