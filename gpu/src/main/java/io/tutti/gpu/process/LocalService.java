package io.tutti.gpu.process;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.posix.LocalAddress;
import io.tutti.gpu.posix.LocalListener;
import io.tutti.gpu.posix.LocalSocket;
import io.tutti.gpu.posix.PeerCredentials;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one local socket of a process. Peer processes of the same user come here for descriptors, see {@link #publish}, and
 * to be linked, see {@link PeerLinks}; everybody else is turned away by name. One thread serves all connections and never
 * waits for one of them. All methods may be called from any thread; {@link #close} is idempotent and bounded.
 */
public final class LocalService implements AutoCloseable {

    /**
     * Settings of a service.
     *
     * @param processId the process's identity, as in its facts
     * @param address where it listens
     * @param handshakeTimeout how long a connection may take to send its header
     * @param confirmTimeout how long an importer may take to map what it fetched
     * @param maxPending connections without a header; beyond, the oldest is turned away
     * @param maxLinks peer processes that may be linked at once
     * @param onRefusal hears of each refused connection, on the service's thread
     */
    public record Settings(
            String processId,
            LocalAddress address,
            Duration handshakeTimeout,
            Duration confirmTimeout,
            int maxPending,
            int maxLinks,
            Consumer<Refusal> onRefusal) {

        /** The defaults for a process, at the address where its peers look for it. */
        public static Settings of(String processId) {
            return new Settings(
                    processId,
                    addressOf(processId),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    256,
                    4096,
                    refusal -> {});
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(LocalService.class);
    private static final int BACKLOG = 1024;
    private static final long CLOSE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long ACCEPT_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final Settings settings;
    private final byte[] processDigest;
    private final int uid;
    private final LocalListener listener;
    private final RefusalLog refusals;
    private final EventLoop loop;
    private final LinkWatch links;
    private final Host host = new Host();
    private final Map<Long, DescriptorExport> exports = new ConcurrentHashMap<>();
    private final AtomicLong nextExport = new AtomicLong(1);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Set<Visitor> pending = new LinkedHashSet<>(); // of the loop's thread, as everything below
    private final Set<Visitor> visitors = new LinkedHashSet<>();
    private int linked;

    private LocalService(Settings settings) throws IOException {
        this.settings = settings;
        this.processDigest = Frame.digest(settings.processId());
        this.uid = LocalSocket.ownUid();
        this.refusals = new RefusalLog(settings.processId(), settings.onRefusal());
        this.listener = LocalListener.listen(settings.address(), BACKLOG);
        try {
            this.loop = new EventLoop("tutti-local-service", this::endAll);
            this.links = new LinkWatch();
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
        Door door = new Door();
        loop.execute(() -> loop.add(door));
        loop.start();
    }

    /** Where a process listens unless it says otherwise: a name that leaves no file behind. */
    public static LocalAddress addressOf(String processId) {
        return new LocalAddress.Abstract("tutti-" + processId);
    }

    /** Starts with the default settings. */
    public static LocalService start(String processId) {
        return start(Settings.of(processId));
    }

    /** @throws TuttiException with code SYSTEM where local sockets cannot be used, or the address is taken */
    public static LocalService start(Settings settings) {
        try {
            return new LocalService(settings);
        } catch (IOException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.SYSTEM,
                            "the process has no local socket: process=" + settings.processId() + " address="
                                    + settings.address() + " cause=" + e.getMessage(),
                            "Several processes on one host need Linux; run all ranks in one process elsewhere."),
                    e);
        }
    }

    public String processId() {
        return settings.processId();
    }

    public LocalAddress address() {
        return settings.address();
    }

    /**
     * Offers a descriptor to peers.
     *
     * @param descriptor the service's from now on; closed when all importers have confirmed, when the export is closed, or
     *     with the service
     * @param importers the ranks that may fetch it, each once
     */
    public DescriptorExport publish(ShareKey key, int descriptor, Set<Integer> importers) {
        DescriptorExport export = new DescriptorExport(this, nextExport.getAndIncrement(), key, descriptor, importers);
        exports.put(export.id(), export);
        if (closed.get()) {
            export.close();
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CLOSED, "the local service is closed: " + export, "Start the runtime again."));
        }
        return export;
    }

    void withdrawn(DescriptorExport export) {
        exports.remove(export.id());
        loop.execute(() -> List.copyOf(visitors).stream()
                .filter(visitor -> visitor.export() == export)
                .forEach(Visitor::goodbye));
    }

    /** The thread that watches this process's links to others. */
    LinkWatch links() {
        return links;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean ended = loop.close(CLOSE_NANOS);
        ended &= links.close(CLOSE_NANOS);
        List.copyOf(exports.values()).forEach(DescriptorExport::close);
        if (!ended) {
            LOG.warn("process={} a thread of the local service is still busy in a listener", settings.processId());
        }
    }

    private void endAll() {
        listener.close();
        List.copyOf(visitors).forEach(Visitor::goodbye);
    }

    private void welcome(LocalSocket socket) throws IOException {
        PeerCredentials peer = socket.peer();
        Visitor visitor = new Visitor(host, socket, peer);
        visitors.add(visitor);
        if (peer.uid() != uid) {
            visitor.refuse(RefusalReason.OTHER_USER, "expectedUid=" + uid);
            return;
        }
        pending.add(visitor);
        loop.add(visitor);
        if (pending.size() > settings.maxPending()) {
            pending.iterator().next().refuse(RefusalReason.CROWDED_OUT, "pending=" + settings.maxPending());
        }
    }

    /** The listening socket. Out of descriptors, it pauses instead of spinning. */
    private final class Door implements EventLoop.Source {

        private long pausedUntil = EventLoop.NO_DEADLINE;

        @Override
        public int descriptor() {
            return pausedUntil == EventLoop.NO_DEADLINE ? listener.descriptor() : -1;
        }

        @Override
        public long deadline() {
            return pausedUntil;
        }

        @Override
        public void ready() {
            try {
                // One at a time: the loop comes back here for the next, and asking for one too many costs more.
                LocalSocket socket = listener.accept();
                if (socket != null) {
                    receive(socket);
                }
            } catch (IOException e) {
                LOG.warn("process={} cannot accept local connections for a moment: {}", processId(), e.getMessage());
                pausedUntil = loop.now() + ACCEPT_PAUSE_NANOS;
            }
        }

        private void receive(LocalSocket socket) {
            try {
                welcome(socket);
            } catch (IOException e) {
                LOG.debug("a local connection ended at once", e);
                socket.close();
            }
        }

        @Override
        public void expired() {
            pausedUntil = EventLoop.NO_DEADLINE;
        }

        @Override
        public void broken(Exception cause) {
            LOG.error("process={} accepts no local connections any more", processId(), cause);
        }
    }

    private final class Host implements Visitor.Host {

        @Override
        public @Nullable DescriptorExport export(long id) {
            return exports.get(id);
        }

        @Override
        public boolean isProcess(byte[] digest) {
            return MessageDigest.isEqual(processDigest, digest);
        }

        @Override
        public boolean mayLink() {
            return linked < settings.maxLinks();
        }

        @Override
        public long deadlineOf(Visitor.Phase phase) {
            return switch (phase) {
                case HEADER -> loop.now() + settings.handshakeTimeout().toNanos();
                case CONFIRMING -> loop.now() + settings.confirmTimeout().toNanos();
                case LINKED -> EventLoop.NO_DEADLINE;
            };
        }

        @Override
        public void moved(Visitor visitor) {
            pending.remove(visitor);
            if (visitor.phase() == Visitor.Phase.LINKED) {
                linked++;
            }
        }

        @Override
        public void left(Visitor visitor) {
            pending.remove(visitor);
            loop.remove(visitor);
            if (visitors.remove(visitor) && visitor.phase() == Visitor.Phase.LINKED) {
                linked--;
            }
        }

        @Override
        public void refused(Refusal refusal) {
            refusals.report(refusal);
        }
    }
}
