package io.tutti.launcher.safetensors;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/** The bytes of a channel between two positions as a stream; leaves the channel open and its position alone. */
final class ChannelSection extends InputStream {

    private final FileChannel channel;
    private final long end;
    private long position;

    ChannelSection(FileChannel channel, long start, long end) {
        this.channel = channel;
        this.position = start;
        this.end = end;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        int wanted = (int) Math.min(length, end - position);
        if (wanted == 0) {
            return -1;
        }
        int count = channel.read(ByteBuffer.wrap(target, offset, wanted), position);
        if (count > 0) {
            position += count;
        }
        return count;
    }
}
