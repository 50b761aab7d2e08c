package io.tutti.gpu.host;

import io.tutti.gpu.host.memory.MemoryOrigin;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The 64 opaque bytes of a legacy IPC or fabric handle, or of memory in a multicast object: where the memory is, and which process holds a descriptor of it.
 * A checksum tells junk from a handle.
 *
 * @param kind which of them
 * @param origin the memory's device
 * @param process the exporting driver
 * @param pid the process that holds the descriptor
 * @param fd its descriptor, or −1 without shared memory
 * @param offset where in the physical memory the allocation starts
 * @param bytes its length
 */
record SharedHandle(Kind kind, MemoryOrigin origin, long process, long pid, int fd, long offset, long bytes) {

    static final int SIZE = 64;

    private static final int CHECKED = 56;

    enum Kind {
        LEGACY_IPC(0x5455545449495043L),
        FABRIC(0x5455545449464142L),
        /** Bound to a multicast object; it never leaves the object's table. */
        MEMBER(0x545554544d454d42L);

        private final long magic;

        Kind(long magic) {
            this.magic = magic;
        }
    }

    byte[] encode() {
        byte[] handle = new byte[SIZE];
        ByteBuffer out = ByteBuffer.wrap(handle);
        out.putLong(kind.magic).putInt(origin.topology().hashCode());
        out.putShort((short) origin.host()).putShort((short) origin.device());
        out.putLong(process).putInt((int) pid).putInt(fd);
        out.putLong(origin.serial()).putLong(offset).putLong(bytes);
        out.putLong(checksum(handle));
        return handle;
    }

    /**
     * Reads a handle of {@code kind}; empty for junk.
     *
     * @param topology the reader's topology; a handle of another one reads as host −1
     */
    static Optional<SharedHandle> decode(Kind kind, String topology, byte[] handle) {
        if (handle.length != SIZE) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(handle);
        if (in.getLong() != kind.magic || in.getLong(CHECKED) != checksum(handle)) {
            return Optional.empty();
        }
        boolean same = in.getInt() == topology.hashCode();
        int host = in.getShort();
        int device = in.getShort();
        long process = in.getLong();
        int pid = in.getInt();
        int fd = in.getInt();
        MemoryOrigin origin = new MemoryOrigin(topology, same ? host : -1, device, in.getLong());
        return Optional.of(new SharedHandle(kind, origin, process, pid, fd, in.getLong(), in.getLong()));
    }

    private static long checksum(byte[] handle) {
        CRC32 crc = new CRC32();
        crc.update(handle, 0, CHECKED);
        return crc.getValue();
    }
}
