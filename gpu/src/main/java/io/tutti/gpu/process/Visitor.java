package io.tutti.gpu.process;

import io.tutti.gpu.posix.ClosedDescriptorException;
import io.tutti.gpu.posix.LocalSocket;
import io.tutti.gpu.posix.PeerCredentials;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection that a service has accepted. It passes through {@link Phase#HEADER}, then {@link Phase#CONFIRMING} when it
 * asked for a descriptor, or {@link Phase#LINKED} when its process wants to hear of this one's death. Confined to the
 * service's thread.
 */
final class Visitor implements EventLoop.Source {

    enum Phase {
        /** Its header is not complete; ends at the handshake's deadline. */
        HEADER,
        /** It has the descriptor and maps the memory; ends at the confirmation's deadline or with the export. */
        CONFIRMING,
        /** It stays until either process ends. */
        LINKED
    }

    /** What a visitor needs of its service. */
    interface Host {
        @Nullable
        DescriptorExport export(long id);

        boolean isProcess(byte[] digest);

        boolean mayLink();

        long deadlineOf(Phase phase);

        void moved(Visitor visitor);

        /** The visitor has ended; closed by now. */
        void left(Visitor visitor);

        void refused(Refusal refusal);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Visitor.class);

    private final Host host;
    private final LocalSocket socket;
    private final PeerCredentials peer;
    private final ByteBuffer header = ByteBuffer.allocate(Frame.BYTES);
    private Phase phase = Phase.HEADER;
    private long deadline;
    private @Nullable DescriptorExport export;
    private int importer;

    Visitor(Host host, LocalSocket socket, PeerCredentials peer) {
        this.host = host;
        this.socket = socket;
        this.peer = peer;
        this.deadline = host.deadlineOf(Phase.HEADER);
    }

    Phase phase() {
        return phase;
    }

    @Nullable
    DescriptorExport export() {
        return export;
    }

    @Override
    public int descriptor() {
        return socket.descriptor();
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public void ready() throws IOException {
        switch (phase) {
            case HEADER -> readHeader();
            case CONFIRMING -> readConfirmation();
            case LINKED -> readEnd();
        }
    }

    private void readHeader() throws IOException {
        int received = socket.receive(header);
        if (received == LocalSocket.END) {
            refuse(RefusalReason.HALF_HEADER, "received=" + header.position() + " expected=" + Frame.BYTES);
        } else if (!header.hasRemaining()) {
            try {
                answer(Frame.decode(header.flip()));
            } catch (Frame.Malformed e) {
                refuse(e.reason(), String.valueOf(e.getMessage()));
            }
        } else if (received > 0) {
            refuseEarlyGarbage();
        }
    }

    /** A few wrong bytes are not kept until the deadline. */
    private void refuseEarlyGarbage() {
        if (header.position() >= Integer.BYTES && header.getInt(0) != Frame.MAGIC) {
            refuse(RefusalReason.GARBAGE, "magic=0x" + Integer.toHexString(header.getInt(0)));
        }
    }

    private void answer(Frame request) throws IOException {
        switch (request.kind()) {
            case DESCRIPTOR -> grant(request);
            case LINK -> link(request);
            default -> refuse(RefusalReason.GARBAGE, "kind=" + request.kind());
        }
    }

    private void grant(Frame request) throws IOException {
        DescriptorExport asked = host.export(request.exportId());
        Optional<RefusalReason> refused =
                asked == null ? Optional.of(RefusalReason.NOT_EXPORTED) : asked.admit(request);
        if (asked == null || refused.isPresent()) {
            refuse(refused.orElseThrow(), request.describe());
            return;
        }
        try {
            asked.send(socket, request);
        } catch (ClosedDescriptorException e) {
            refuse(RefusalReason.DESCRIPTOR_CLOSED, request.describe());
            return;
        }
        export = asked;
        importer = request.peerRank();
        move(Phase.CONFIRMING);
    }

    private void readConfirmation() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int received = socket.receive(one);
        DescriptorExport granted = export;
        if (received == LocalSocket.NOTHING_NOW || granted == null) {
            return;
        }
        if (received == LocalSocket.END || one.get(0) != Frame.CONFIRMED) {
            refuse(RefusalReason.NOT_CONFIRMED, "importer=" + importer + " " + granted);
            return;
        }
        leave();
        granted.confirm(importer);
    }

    private void link(Frame request) throws IOException {
        if (!host.isProcess(request.ticket())) {
            refuse(RefusalReason.OTHER_PROCESS, "");
        } else if (!host.mayLink()) {
            refuse(RefusalReason.TOO_MANY_LINKS, "");
        } else {
            ByteBuffer answer = ByteBuffer.wrap(request.answer(Frame.Kind.LINKED)
                    .withTicket(request.ticket())
                    .encode());
            socket.send(answer);
            move(Phase.LINKED);
        }
    }

    private void readEnd() throws IOException {
        if (socket.receive(ByteBuffer.allocate(1)) != LocalSocket.NOTHING_NOW) {
            leave();
        }
    }

    private void move(Phase next) {
        phase = next;
        deadline = host.deadlineOf(next);
        host.moved(this);
    }

    @Override
    public void expired() {
        if (phase == Phase.CONFIRMING) {
            refuse(RefusalReason.NOT_CONFIRMED, "importer=" + importer + " " + export);
        } else {
            refuse(RefusalReason.SILENT, "received=" + header.position() + " expected=" + Frame.BYTES);
        }
    }

    @Override
    public void broken(Exception cause) {
        LOG.debug("a local connection broke: {} phase={}", peer, phase, cause);
        leave();
    }

    /** Tells the peer why, as far as it listens, and ends the connection. */
    void refuse(RefusalReason reason, String detail) {
        try {
            if (reason != RefusalReason.OTHER_USER && phase == Phase.HEADER) {
                socket.send(ByteBuffer.wrap(Frame.refusal(reason).encode()));
            }
        } catch (IOException e) {
            LOG.debug("a refused peer is gone: {}", peer, e);
        }
        leave();
        host.refused(new Refusal(peer, reason, detail));
    }

    /** Says goodbye to a link, and closes in any phase. */
    void goodbye() {
        if (phase == Phase.LINKED) {
            try {
                socket.send(ByteBuffer.wrap(new byte[] {Frame.GOODBYE}));
            } catch (IOException e) {
                LOG.debug("a linked peer is gone: {}", peer, e);
            }
        }
        leave();
    }

    private void leave() {
        socket.close();
        host.left(this);
    }
}
