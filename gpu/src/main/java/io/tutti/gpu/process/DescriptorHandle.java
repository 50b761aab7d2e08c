package io.tutti.gpu.process;

import io.tutti.gpu.posix.LocalAddress;
import java.nio.ByteBuffer;

/**
 * What an offer tells importers: where to ask, for what, and the secret that all tickets are made with.
 *
 * @param address the exporter's service
 * @param exportId which export
 * @param count descriptors to fetch
 * @param secret 256 random bits; each importing rank's ticket is a keyed digest of its request
 */
record DescriptorHandle(LocalAddress address, long exportId, int count, byte[] secret) {

    static final int SECRET_BYTES = 32;

    byte[] encode() {
        byte[] where = address.encode();
        return ByteBuffer.allocate(where.length + Long.BYTES + Integer.BYTES + SECRET_BYTES)
                .put(where)
                .putLong(exportId)
                .putInt(count)
                .put(secret)
                .array();
    }

    /** @throws IllegalArgumentException when the bytes are no handle */
    static DescriptorHandle decode(byte[] handle) {
        ByteBuffer in = ByteBuffer.wrap(handle);
        LocalAddress address = LocalAddress.decode(in);
        if (in.remaining() != Long.BYTES + Integer.BYTES + SECRET_BYTES) {
            throw new IllegalArgumentException("not a descriptor's handle: bytes=" + handle.length);
        }
        DescriptorHandle decoded = new DescriptorHandle(address, in.getLong(), in.getInt(), new byte[SECRET_BYTES]);
        in.get(decoded.secret);
        if (decoded.count != 1) {
            throw new IllegalArgumentException("not a descriptor's handle: count=" + decoded.count);
        }
        return decoded;
    }

    @Override
    public String toString() {
        return "DescriptorHandle[address=" + address + " export=" + exportId + " count=" + count + "]";
    }
}
