package io.tutti.gpu.process;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.posix.LocalSocket;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One connection from this process to each of a communicator's other processes on this host, which carries nothing and
 * whose end is the news. The kernel ends it when the process dies, however it dies, and not while the process is merely
 * stopped.
 *
 * <p>Each process opens its own connection to each peer, so a pair has two: whoever watches owns what it watches. Nothing
 * has to be agreed when both connect at once, closing one side's links tells the other side nothing wrong, and several
 * communicators of one process do not share an end. Nothing is ever connected again: the next epoch has a new process and
 * a new link.
 *
 * <p>Any thread; {@link #close} is idempotent, and the listener hears nothing after it.
 */
public final class PeerLinks implements AutoCloseable {

    private final LinkWatch watch;
    private final List<Link> links;

    private PeerLinks(LinkWatch watch, List<Link> links) {
        this.watch = watch;
        this.links = links;
    }

    /**
     * Links this process to others and waits until all of them have answered.
     *
     * @param service this process's service
     * @param processIds the peers' identities, as in their facts; this process's own is passed over
     * @param timeout for all of them together
     * @throws TuttiException with code REMOTE or TIMEOUT that names every process that could not be linked, and with no
     *     link left open
     */
    public static PeerLinks open(
            LocalService service, Collection<String> processIds, Duration timeout, PeerListener listener) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Set<String> peers = new TreeSet<>(processIds);
        peers.remove(service.processId());
        Map<String, IOException> failed = new LinkedHashMap<>();
        List<Link> links = new ArrayList<>();
        // All are asked before any answer is awaited, so that a slow process delays the others little.
        for (String peer : peers) {
            attempt(peer, failed, () -> links.add(new Link(peer, ask(peer, deadline), listener)));
        }
        for (Link link : links) {
            attempt(link.processId(), failed, () -> awaitAnswer(link, deadline));
        }
        if (!failed.isEmpty()) {
            links.forEach(Link::closeSocket);
            throw notLinked(service.processId(), failed);
        }
        service.links().add(links);
        return new PeerLinks(service.links(), links);
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void attempt(String peer, Map<String, IOException> failed, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            failed.put(peer, e);
        }
    }

    private static LocalSocket ask(String peer, long deadline) throws IOException {
        ByteBuffer asking = ByteBuffer.wrap(Frame.link(peer).encode());
        LocalSocket socket = LocalSocket.connect(LocalService.addressOf(peer), deadline);
        try {
            requireOwnUser(socket);
            socket.sendFully(asking, deadline);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static void requireOwnUser(LocalSocket socket) throws IOException {
        if (socket.peer().uid() != LocalSocket.ownUid()) {
            throw new IOException("the socket belongs to another user: " + socket.peer());
        }
    }

    private static void awaitAnswer(Link link, long deadline) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Frame.BYTES);
        link.socket().receiveFully(bytes, new ArrayList<>(), deadline);
        Frame answer = Answers.read(bytes.flip());
        Frame expected = Frame.link(link.processId());
        if (!answer.answers(expected, Frame.Kind.LINKED)) {
            throw new IOException("the answer is not that of the process: " + answer.describe());
        }
    }

    private static TuttiException notLinked(String self, Map<String, IOException> failed) {
        boolean late = failed.values().stream().allMatch(SocketTimeoutException.class::isInstance);
        StringBuilder who = new StringBuilder();
        failed.forEach((peer, cause) -> who.append(who.isEmpty() ? "" : "; ")
                .append("process=")
                .append(peer)
                .append(" cause=")
                .append(cause instanceof EOFException ? "it ended meanwhile" : cause.getMessage()));
        TuttiException error = new TuttiException(
                ErrorInfo.of(
                        late ? ErrorCode.TIMEOUT : ErrorCode.REMOTE,
                        "process " + self + " could not be linked to its peers: " + who,
                        "Look whether those processes run; they are replaced when they have ended."),
                failed.values().iterator().next());
        return error;
    }

    /** The peers that have neither died nor said goodbye. */
    public Set<String> alive() {
        Set<String> alive = new TreeSet<>();
        for (Link link : links) {
            if (!link.hasEnded()) {
                alive.add(link.processId());
            }
        }
        return alive;
    }

    @Override
    public void close() {
        watch.remove(links);
    }
}
