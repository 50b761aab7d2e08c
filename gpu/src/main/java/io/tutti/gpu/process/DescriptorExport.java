package io.tutti.gpu.process;

import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.posix.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor that peers may fetch, each once, while they hold a ticket. It is kept until every importer has confirmed
 * that it has mapped the memory, or until this is closed, and then closed, once. Any thread.
 */
public final class DescriptorExport implements AutoCloseable {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int COUNT = 1;

    private final long id;
    private final ShareKey key;
    private final Set<Integer> importers;
    private final DescriptorHandle handle;
    private final Runnable onWithdrawn;
    private final Set<Integer> taken = new HashSet<>(); // guarded by this, as everything below
    private final Set<Integer> confirmed = new TreeSet<>();
    private int descriptor;

    DescriptorExport(LocalService service, long id, ShareKey key, int descriptor, Set<Integer> importers) {
        this.id = id;
        this.key = key;
        this.descriptor = descriptor;
        this.importers = Set.copyOf(importers);
        byte[] secret = new byte[DescriptorHandle.SECRET_BYTES];
        RANDOM.nextBytes(secret);
        this.handle = new DescriptorHandle(service.address(), id, COUNT, secret);
        this.onWithdrawn = () -> service.withdrawn(this);
    }

    long id() {
        return id;
    }

    /** What an importer needs, as bytes for an offer; about a hundred. A secret: only the offer may carry it. */
    public byte[] handle() {
        return handle.encode();
    }

    /** The ranks that have mapped the memory. */
    public synchronized Set<Integer> confirmed() {
        return new TreeSet<>(confirmed);
    }

    /** Whether the descriptor is still held. */
    public synchronized boolean isOpen() {
        return descriptor >= 0;
    }

    /** Checks a request and uses its ticket up; empty when the descriptor may be sent. */
    synchronized Optional<RefusalReason> admit(Frame request) {
        RefusalReason refused = check(request);
        if (refused == null) {
            taken.add(request.peerRank());
        }
        return Optional.ofNullable(refused);
    }

    private @Nullable RefusalReason check(Frame request) {
        if (descriptor < 0) {
            return RefusalReason.NOT_EXPORTED;
        }
        if (!request.isFor(key)) {
            return RefusalReason.STALE;
        }
        if (request.rank() != key.rank() || !importers.contains(request.peerRank())) {
            return RefusalReason.WRONG_RANK;
        }
        if (request.index() != 0 || request.count() != COUNT) {
            return RefusalReason.WRONG_INDEX;
        }
        if (!request.isSealedBy(handle.secret())) {
            return RefusalReason.WRONG_TICKET;
        }
        return taken.contains(request.peerRank()) ? RefusalReason.USED_TICKET : null;
    }

    /** Sends the answer with the descriptor; never waits. */
    synchronized void send(LocalSocket socket, Frame request) throws IOException {
        if (descriptor < 0) {
            throw new IOException("the memory was withdrawn meanwhile");
        }
        ByteBuffer answer = ByteBuffer.wrap(
                request.answer(Frame.Kind.GRANTED).sealedBy(handle.secret()).encode());
        socket.send(answer, descriptor);
        if (answer.hasRemaining()) {
            throw new IOException("the peer's socket is full");
        }
    }

    void confirm(int importer) {
        boolean all;
        synchronized (this) {
            confirmed.add(importer);
            all = confirmed.containsAll(importers);
        }
        if (all) {
            close();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (descriptor < 0) {
                return;
            }
            Descriptors.close(descriptor);
            descriptor = -1;
        }
        onWithdrawn.run();
    }

    @Override
    public String toString() {
        return "rank=" + key.rank() + " communicator=" + key.communicator() + " " + key.epoch();
    }
}
