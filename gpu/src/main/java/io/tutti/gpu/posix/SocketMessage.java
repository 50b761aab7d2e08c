package io.tutti.gpu.posix;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;

/** One {@code msghdr} of 64-bit Linux with its data, one {@code iovec} and room for one block of descriptors. */
final class SocketMessage implements AutoCloseable {

    /** {@code SCM_MAX_FD}: with room for so many, the kernel never drops any, and none is left that nobody closes. */
    static final int MAX_DESCRIPTORS = 253;

    private static final int HEADER_BYTES = 56;
    private static final int IOV_LEN = 8;
    private static final int IOV_BYTES = 16;
    private static final int MSG_IOV = 16;
    private static final int MSG_IOVLEN = 24;
    private static final int MSG_CONTROL = 32;
    private static final int MSG_CONTROLLEN = 40;
    private static final int CMSG_LEVEL = 8;
    private static final int CMSG_TYPE = 12;
    private static final int CMSG_DATA = 16;

    private final Memory block;
    private final long control;
    private final long data;

    private SocketMessage(int dataBytes, int descriptors) {
        long controlBytes = descriptors == 0 ? 0 : controlSpace(descriptors);
        control = HEADER_BYTES + IOV_BYTES;
        data = control + controlBytes;
        block = new Memory(data + Math.max(1, dataBytes));
        block.clear(data);
        block.setPointer(HEADER_BYTES, block.share(data));
        block.setLong(HEADER_BYTES + IOV_LEN, dataBytes);
        block.setPointer(MSG_IOV, block.share(HEADER_BYTES));
        block.setLong(MSG_IOVLEN, 1);
        if (controlBytes > 0) {
            block.setPointer(MSG_CONTROL, block.share(control));
            block.setLong(MSG_CONTROLLEN, controlBytes);
        }
    }

    /** A message to send. */
    static SocketMessage of(byte[] bytes, int... descriptors) {
        SocketMessage message = new SocketMessage(bytes.length, descriptors.length);
        message.block.write(message.data, bytes, 0, bytes.length);
        if (descriptors.length > 0) {
            message.block.setLong(message.control, CMSG_DATA + (long) descriptors.length * Integer.BYTES);
            message.block.setInt(message.control + CMSG_LEVEL, SocketCalls.SOL_SOCKET);
            message.block.setInt(message.control + CMSG_TYPE, SocketCalls.SCM_RIGHTS);
            message.block.write(message.control + CMSG_DATA, descriptors, 0, descriptors.length);
        }
        return message;
    }

    /** Room to receive. */
    static SocketMessage room(int bytes, int descriptors) {
        return new SocketMessage(bytes, descriptors);
    }

    private static long controlSpace(int descriptors) {
        return CMSG_DATA + ((long) descriptors * Integer.BYTES + 7) / 8 * 8;
    }

    Pointer header() {
        return block;
    }

    byte[] data(int bytes) {
        return block.getByteArray(data, bytes);
    }

    /** The descriptors that a receive brought. */
    List<Integer> descriptors() {
        List<Integer> found = new ArrayList<>();
        long end = control + block.getLong(MSG_CONTROLLEN);
        for (long at = control; at + CMSG_DATA <= end; ) {
            long bytes = block.getLong(at);
            if (bytes < CMSG_DATA || at + bytes > end) {
                break;
            }
            if (block.getInt(at + CMSG_LEVEL) == SocketCalls.SOL_SOCKET
                    && block.getInt(at + CMSG_TYPE) == SocketCalls.SCM_RIGHTS) {
                for (long fd = at + CMSG_DATA; fd + Integer.BYTES <= at + bytes; fd += Integer.BYTES) {
                    found.add(block.getInt(fd));
                }
            }
            at += (bytes + 7) / 8 * 8;
        }
        return found;
    }

    @Override
    public void close() {
        block.close();
    }
}
