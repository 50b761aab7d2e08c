package io.tutti.launcher.safetensors;

import com.fasterxml.jackson.core.JacksonException;
import io.tutti.config.MissingFile;
import io.tutti.gpu.TuttiException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open file whose header has been checked completely. Tensors are read in pieces of any size at 64-bit offsets, so a
 * file may be larger than memory and than 2 GiB. It owns one descriptor until closed; {@link #read} may be called from any
 * thread. The bytes are read rather than mapped: a file that is cut off while mapped ends the JVM.
 */
public final class SafetensorsFile implements AutoCloseable {

    /** The largest header that is read, as in the format's own implementation. */
    public static final long MAX_HEADER_BYTES = 100_000_000;

    private static final int LENGTH_BYTES = 8;

    /** How the JSON library's strict check begins to speak of a doubled name. */
    private static final String DUPLICATE = "Duplicate field ";

    private final FileText text;
    private final FileChannel channel;
    private final Header header;
    private final long dataStart;

    private SafetensorsFile(FileText text, FileChannel channel, Header header, long dataStart) {
        this.text = text;
        this.channel = channel;
        this.header = header;
        this.dataStart = dataStart;
    }

    /**
     * Opens a file and checks all of its header against the format and the file's size.
     *
     * @throws TuttiException with code INPUT when it cannot be read or is not what it claims to be
     */
    public static SafetensorsFile open(Path path) {
        FileText text = new FileText(path);
        // Before opening: opening a pipe would wait for a writer.
        if (!Files.exists(path)) {
            throw text.malformed("the file " + MissingFile.why(path), "", "Check the path.");
        }
        if (!Files.isRegularFile(path)) {
            throw text.malformed("not a regular file", "", "Give the path of a safetensors file.");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
            SafetensorsFile file = readHeader(text, channel);
            channel = null;
            return file;
        } catch (JacksonException e) {
            if (e.getOriginalMessage().startsWith(DUPLICATE)) {
                throw text.malformed(
                        "the header has a name twice",
                        "name=" + FileText.quote(e.getOriginalMessage().substring(DUPLICATE.length())),
                        "A tensor, and each part of its description, may occur only once; write the file again.",
                        e);
            }
            throw text.malformed(
                    "the header is not JSON",
                    "reason=" + FileText.quote(e.getOriginalMessage()) + " column="
                            + (e.getLocation() == null
                                    ? "unknown"
                                    : e.getLocation().getColumnNr()),
                    "Check that this is a safetensors file.",
                    e);
        } catch (CharacterCodingException e) {
            throw text.malformed("the header is not UTF-8", "", "Check that this is a safetensors file.", e);
        } catch (IOException e) {
            throw text.malformed("the file cannot be read", "reason=" + FileText.reason(e), "Check the file.", e);
        } finally {
            closeQuietly(channel);
        }
    }

    private static SafetensorsFile readHeader(FileText text, FileChannel channel) throws IOException {
        long size = channel.size();
        ByteBuffer start = ByteBuffer.allocate(LENGTH_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        while (start.hasRemaining() && channel.read(start, start.position()) >= 0) {
            // Read on: a read may return fewer bytes than asked for.
        }
        if (start.position() < LENGTH_BYTES) {
            throw text.malformed("the file is too short for a header", "bytes=" + size, "Check the file.");
        }
        long length = start.getLong(0);
        checkLength(text, length, size);
        if (start.get(LENGTH_BYTES) != '{') {
            throw text.malformed(
                    "the header does not start with '{'",
                    "firstByte=" + (start.get(LENGTH_BYTES) & 0xff),
                    "Check that this is a safetensors file.");
        }
        long dataStart = LENGTH_BYTES + length;
        Header header;
        try (InputStream bytes =
                new BufferedInputStream(new ChannelSection(channel, LENGTH_BYTES, dataStart), 64 * 1024)) {
            header = new HeaderParser(text).parse(bytes);
        }
        LayoutCheck.check(header, size - dataStart, text);
        return new SafetensorsFile(text, channel, header, dataStart);
    }

    private static void checkLength(FileText text, long length, long size) {
        String facts = "headerBytes=" + Long.toUnsignedString(length) + " fileBytes=" + size;
        if (length < 0 || length > MAX_HEADER_BYTES) {
            throw text.malformed(
                    "the header's length is beyond what the format allows",
                    facts + " largest=" + MAX_HEADER_BYTES,
                    "Check that this is a safetensors file.");
        }
        if (length > size - LENGTH_BYTES) {
            throw text.malformed(
                    "the header is longer than the file", facts, "The file was probably cut off; copy it again.");
        }
        if (length < 2) {
            throw text.malformed("the header is empty", facts, "Check that this is a safetensors file.");
        }
    }

    public Path path() {
        return text.path();
    }

    /** The tensors by name, in the header's order. */
    public Map<String, TensorEntry> tensors() {
        return header.tensors();
    }

    /** The texts that whoever wrote the file attached to it; often empty. */
    public Map<String, String> metadata() {
        return header.metadata();
    }

    /**
     * Fills the destination's remaining bytes from a tensor of this file, from a byte offset within the tensor.
     *
     * @throws IndexOutOfBoundsException when the range leaves the tensor
     * @throws TuttiException with code INPUT when the bytes cannot be read any more
     */
    public void read(TensorEntry tensor, long offset, ByteBuffer destination) {
        if (offset < 0 || offset > tensor.bytes() - destination.remaining()) {
            throw new IndexOutOfBoundsException("tensor=" + tensor.name() + " bytes=" + tensor.bytes() + " offset="
                    + offset + " length=" + destination.remaining());
        }
        long position = dataStart + tensor.begin() + offset;
        try {
            while (destination.hasRemaining()) {
                int count = channel.read(destination, position);
                if (count < 0) {
                    throw text.malformed(
                            "the file was cut off while it was read",
                            "tensor=" + FileText.quote(tensor.name()) + " position=" + position,
                            "Do not change the file during a run.");
                }
                position += count;
            }
        } catch (IOException e) {
            throw text.malformed("the file cannot be read", "reason=" + FileText.reason(e), "Check the file.", e);
        }
    }

    /** Gives the descriptor back; idempotent. */
    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // The descriptor is gone either way, and nothing was written through it.
        }
    }
}
