package io.tutti.gpu.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The fixed binary header of every request and answer on a local socket; big-endian.
 *
 * @param kind what it is
 * @param reason the code of a refusal, else 0
 * @param communicator the communicator's instance; zero in a link
 * @param rank the exporting rank
 * @param peerRank the importing rank
 * @param term the term's counter
 * @param coordinator a digest of the term's coordinator, as {@link #digest} makes it
 * @param epoch the epoch's number
 * @param index which descriptor
 * @param count of how many
 * @param exportId which export of the process
 * @param ticket the seal of the request or answer; in a link, the digest of the process that is looked for
 */
record Frame(
        Kind kind,
        int reason,
        UUID communicator,
        int rank,
        int peerRank,
        long term,
        long coordinator,
        long epoch,
        int index,
        int count,
        long exportId,
        byte[] ticket) {

    static final int TICKET_BYTES = 32;
    static final int BYTES = 76 + TICKET_BYTES;

    /** After a descriptor: the importer has mapped the memory. */
    static final byte CONFIRMED = 'C';
    /** On a link: the process closes in order. */
    static final byte GOODBYE = 'G';

    static final int MAGIC = 0x54757469;
    private static final short VERSION = 1;
    private static final UUID NO_COMMUNICATOR = new UUID(0, 0);
    private static final String HMAC = "HmacSHA256";

    enum Kind {
        DESCRIPTOR(1),
        GRANTED(2),
        REFUSED(3),
        LINK(4),
        LINKED(5);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /** Bytes that are no header of this version. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        private final RefusalReason reason;

        private Malformed(RefusalReason reason, String detail) {
            super(detail);
            this.reason = reason;
        }

        RefusalReason reason() {
            return reason;
        }
    }

    /** A request, without its ticket, for one descriptor. */
    static Frame request(ShareKey key, int importer, long exportId, int count) {
        return new Frame(
                Kind.DESCRIPTOR,
                0,
                key.communicator(),
                key.rank(),
                importer,
                key.epoch().term().counter(),
                coordinator(key),
                key.epoch().epoch(),
                0,
                count,
                exportId,
                new byte[TICKET_BYTES]);
    }

    static Frame link(String processId) {
        return new Frame(Kind.LINK, 0, NO_COMMUNICATOR, -1, -1, 0, 0, 0, 0, 0, 0, digest(processId));
    }

    /** The answer to this request, without a ticket. */
    Frame answer(Kind answer) {
        return new Frame(
                answer,
                0,
                communicator,
                rank,
                peerRank,
                term,
                coordinator,
                epoch,
                index,
                count,
                exportId,
                new byte[TICKET_BYTES]);
    }

    static Frame refusal(RefusalReason why) {
        return new Frame(Kind.REFUSED, why.code(), NO_COMMUNICATOR, -1, -1, 0, 0, 0, 0, 0, 0, new byte[TICKET_BYTES]);
    }

    /** Whether it is about this memory. */
    boolean isFor(ShareKey key) {
        return communicator.equals(key.communicator())
                && term == key.epoch().term().counter()
                && coordinator == coordinator(key)
                && epoch == key.epoch().epoch();
    }

    /** Whether this is the answer of that kind to a request, ticket aside. */
    boolean answers(Frame request, Kind answer) {
        return Arrays.equals(
                withTicket(request.ticket).encode(),
                request.answer(answer).withTicket(request.ticket).encode());
    }

    /** The same with the ticket that only a holder of the secret can make: a keyed digest over every other field. */
    Frame sealedBy(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret, HMAC));
            mac.update(encode(), 0, BYTES - TICKET_BYTES);
            return withTicket(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** Whether the ticket is right; takes equally long for every wrong one. */
    boolean isSealedBy(byte[] secret) {
        return MessageDigest.isEqual(ticket, sealedBy(secret).ticket);
    }

    Frame withTicket(byte[] newTicket) {
        return new Frame(
                kind,
                reason,
                communicator,
                rank,
                peerRank,
                term,
                coordinator,
                epoch,
                index,
                count,
                exportId,
                newTicket);
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putShort(VERSION)
                .putShort((short) kind.code)
                .putInt(reason)
                .putLong(communicator.getMostSignificantBits())
                .putLong(communicator.getLeastSignificantBits())
                .putInt(rank)
                .putInt(peerRank)
                .putLong(term)
                .putLong(coordinator)
                .putLong(epoch)
                .putInt(index)
                .putInt(count)
                .putLong(exportId)
                .put(ticket)
                .array();
    }

    static Frame decode(ByteBuffer in) throws Malformed {
        int magic = in.getInt();
        int version = in.getShort();
        int kindCode = in.getShort();
        if (magic != MAGIC) {
            throw new Malformed(RefusalReason.GARBAGE, "magic=0x" + Integer.toHexString(magic));
        }
        if (version != VERSION) {
            throw new Malformed(RefusalReason.OTHER_VERSION, "version=" + version + " spoken=" + VERSION);
        }
        for (Kind kind : Kind.values()) {
            if (kind.code == kindCode) {
                int reason = in.getInt();
                UUID communicator = new UUID(in.getLong(), in.getLong());
                Frame frame = new Frame(
                        kind,
                        reason,
                        communicator,
                        in.getInt(),
                        in.getInt(),
                        in.getLong(),
                        in.getLong(),
                        in.getLong(),
                        in.getInt(),
                        in.getInt(),
                        in.getLong(),
                        new byte[TICKET_BYTES]);
                in.get(frame.ticket);
                return frame;
            }
        }
        throw new Malformed(RefusalReason.GARBAGE, "kind=" + kindCode);
    }

    static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static long coordinator(ShareKey key) {
        return ByteBuffer.wrap(digest(key.epoch().term().coordinatorId())).getLong();
    }

    /** The values that a refusal names. */
    String describe() {
        return "rank=" + rank + " importer=" + peerRank + " communicator=" + communicator + " term=" + term + " epoch="
                + epoch + " index=" + index + " count=" + count;
    }
}
