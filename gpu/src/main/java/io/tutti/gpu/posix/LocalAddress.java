package io.tutti.gpu.posix;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a local socket listens. An abstract name leaves nothing behind, whoever is killed, but is seen only within one
 * network namespace; a path crosses network namespaces that share a file system.
 */
public sealed interface LocalAddress {

    /** Longest name or path in bytes: what fits beside the zero byte that marks a name or ends a path. */
    int MAX_BYTES = 107;

    /** A name in the abstract namespace. */
    record Abstract(String name) implements LocalAddress {
        public Abstract {
            requireFits(name);
        }

        @Override
        public String toString() {
            return "@" + name;
        }
    }

    /** A socket file. */
    record SocketFile(String path) implements LocalAddress {
        public SocketFile {
            requireFits(path);
        }

        @Override
        public String toString() {
            return path;
        }
    }

    /** This address as bytes for a message; {@link #decode} reads them. */
    default byte[] encode() {
        byte[] text = text().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + text.length)
                .put((byte) (this instanceof Abstract ? 'a' : 'f'))
                .put((byte) text.length)
                .put(text)
                .array();
    }

    /**
     * Reads what {@link #encode} wrote and moves the position behind it.
     *
     * @throws IllegalArgumentException when the bytes are no address
     */
    static LocalAddress decode(ByteBuffer in) {
        if (in.remaining() < 2) {
            throw new IllegalArgumentException("not a local address: bytes=" + in.remaining());
        }
        byte type = in.get();
        byte[] text = new byte[Byte.toUnsignedInt(in.get())];
        if (in.remaining() < text.length) {
            throw new IllegalArgumentException(
                    "a local address is cut off: bytes=" + text.length + " present=" + in.remaining());
        }
        in.get(text);
        String decoded = new String(text, StandardCharsets.UTF_8);
        return switch (type) {
            case 'a' -> new Abstract(decoded);
            case 'f' -> new SocketFile(decoded);
            default -> throw new IllegalArgumentException("not a local address: type=" + type);
        };
    }

    /** The name or the path. */
    default String text() {
        return this instanceof Abstract named ? named.name() : ((SocketFile) this).path();
    }

    private static void requireFits(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a local address has 1 to " + MAX_BYTES + " bytes: bytes=" + bytes + " address=" + text);
        }
    }
}
