package io.tutti.gpu.process;

import io.tutti.gpu.posix.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watched end of a link. Confined to the links' thread once it is there. */
final class Link implements EventLoop.Source {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    private final String processId;
    private final LocalSocket socket;
    private final PeerListener listener;
    private volatile boolean ended;

    Link(String processId, LocalSocket socket, PeerListener listener) {
        this.processId = processId;
        this.socket = socket;
        this.listener = listener;
    }

    String processId() {
        return processId;
    }

    LocalSocket socket() {
        return socket;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public int descriptor() {
        return socket.descriptor();
    }

    @Override
    public long deadline() {
        return EventLoop.NO_DEADLINE;
    }

    @Override
    public void ready() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int received = socket.receive(one);
        if (received == LocalSocket.NOTHING_NOW) {
            return;
        }
        end(received != LocalSocket.END && one.get(0) == Frame.GOODBYE);
    }

    private void end(boolean inOrder) {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (inOrder) {
                listener.onGoodbye(processId);
            } else {
                listener.onDeath(processId);
            }
        } catch (RuntimeException e) {
            LOG.error("a listener failed to hear of the end of process {}", processId, e);
        }
        closeSocket();
    }

    @Override
    public void expired() {
        // A link has no deadline: a process that lags or is stopped must not look dead.
    }

    @Override
    public void broken(Exception cause) {
        LOG.warn("the link to process {} broke, which counts as its death", processId, cause);
        end(false);
    }

    void closeSocket() {
        ended = true;
        socket.close();
    }
}
