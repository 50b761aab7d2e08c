package io.tutti.launcher.safetensors;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.files.TargetFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one file so that its name never shows a half-written one: bytes go to a temporary file in the same folder, which
 * {@link #commit} syncs and moves over the target. Closing without a commit removes the temporary file and leaves what was
 * at the target. Confined to one thread.
 */
public final class SafetensorsWriter implements AutoCloseable {

    private static final int ALIGNMENT = 8;

    private final FileText text;
    private final TargetFile place;
    private final FileChannel channel;
    private final long dataStart;
    private final Map<String, TensorEntry> tensors;
    private final Map<String, Long> written = new LinkedHashMap<>();
    private boolean committed;

    private SafetensorsWriter(
            FileText text, TargetFile place, FileChannel channel, long dataStart, Map<String, TensorEntry> tensors) {
        this.text = text;
        this.place = place;
        this.channel = channel;
        this.dataStart = dataStart;
        this.tensors = tensors;
    }

    /**
     * What a file will hold.
     *
     * @param shape dimensions, outermost first
     */
    public record Tensor(String name, ElementType type, List<Long> shape) {}

    /**
     * Starts a file; the tensors' bytes follow each other in the given order.
     *
     * @throws TuttiException with code USAGE when the target is a folder or cannot be created there, SYSTEM when the
     *     operating system refuses
     */
    public static SafetensorsWriter create(Path path, List<Tensor> content, Map<String, String> metadata) {
        TargetFile place = TargetFile.of(path);
        FileText text = new FileText(path);
        Map<String, TensorEntry> tensors = layOut(content);
        FileChannel channel = null;
        try {
            ByteBuffer head = header(tensors.values(), metadata);
            channel = FileChannel.open(place.temporary(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            long dataStart = head.remaining();
            writeFully(channel, 0, head);
            return new SafetensorsWriter(text, place, channel, dataStart, tensors);
        } catch (IOException e) {
            discard(channel, place);
            throw text.notWritten("the output file cannot be created", e);
        }
    }

    /** Writes a tensor's next bytes, in order within the tensor; tensors may be written alternately. */
    public void append(String tensor, ByteBuffer bytes) {
        TensorEntry entry = tensors.get(tensor);
        if (entry == null) {
            throw new IllegalArgumentException("no such tensor in this file: tensor=" + tensor);
        }
        long done = written.getOrDefault(tensor, 0L);
        if (bytes.remaining() > entry.bytes() - done) {
            throw new IllegalArgumentException("more bytes than the tensor has: tensor=" + tensor + " bytes="
                    + entry.bytes() + " written=" + done + " more=" + bytes.remaining());
        }
        written.put(tensor, done + bytes.remaining());
        try {
            writeFully(channel, dataStart + entry.begin() + done, bytes);
        } catch (IOException e) {
            throw text.notWritten("the output file cannot be written", e);
        }
    }

    /** Makes the file durable and visible under its name; every tensor must be complete. */
    public void commit() {
        for (TensorEntry entry : tensors.values()) {
            long done = written.getOrDefault(entry.name(), 0L);
            if (done != entry.bytes()) {
                throw new IllegalStateException("a tensor is incomplete: tensor=" + entry.name() + " bytes="
                        + entry.bytes() + " written=" + done);
            }
        }
        try {
            channel.force(true);
            channel.close();
            place.publish();
            committed = true;
        } catch (IOException e) {
            throw text.notWritten("the output file cannot be completed", e);
        }
        syncFolder();
    }

    /** Makes the move itself durable where the platform can; the file's own bytes are durable already. */
    private void syncFolder() {
        Path parent = place.target().getParent();
        if (parent == null) {
            return;
        }
        try (FileChannel folder = FileChannel.open(parent, StandardOpenOption.READ)) {
            folder.force(true);
        } catch (IOException e) {
            // Not every platform opens a folder; the file is complete under its name either way.
        }
    }

    @Override
    public void close() {
        if (!committed) {
            discard(channel, place);
        }
    }

    private static void discard(@Nullable FileChannel channel, TargetFile place) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // Whoever called is already reporting why the file could not be written.
        }
        place.discard();
    }

    private static Map<String, TensorEntry> layOut(List<Tensor> content) {
        Map<String, TensorEntry> tensors = new LinkedHashMap<>();
        long position = 0;
        for (Tensor tensor : content) {
            long end = Math.addExact(position, TensorEntry.bytesOf(tensor.type(), tensor.shape()));
            TensorEntry entry = new TensorEntry(tensor.name(), tensor.type(), tensor.shape(), position, end);
            if (tensors.put(tensor.name(), entry) != null
                    || position % tensor.type().bytes() != 0) {
                throw new IllegalArgumentException("doubled name or unaligned order: tensor=" + tensor.name());
            }
            position = end;
        }
        return tensors;
    }

    private static ByteBuffer header(Collection<TensorEntry> tensors, Map<String, String> metadata) throws IOException {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        try (JsonGenerator out = new JsonFactory().createGenerator(json, JsonEncoding.UTF8)) {
            out.writeStartObject();
            if (!metadata.isEmpty()) {
                out.writeObjectFieldStart(Header.METADATA);
                for (Map.Entry<String, String> entry : metadata.entrySet()) {
                    out.writeStringField(entry.getKey(), entry.getValue());
                }
                out.writeEndObject();
            }
            for (TensorEntry tensor : tensors) {
                out.writeObjectFieldStart(tensor.name());
                out.writeStringField("dtype", tensor.type().name());
                out.writeFieldName("shape");
                long[] shape =
                        tensor.shape().stream().mapToLong(Long::longValue).toArray();
                out.writeArray(shape, 0, shape.length);
                out.writeFieldName("data_offsets");
                out.writeArray(new long[] {tensor.begin(), tensor.end()}, 0, 2);
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        while (json.size() % ALIGNMENT != 0) {
            json.write(' ');
        }
        ByteBuffer head = ByteBuffer.allocate(Long.BYTES + json.size()).order(ByteOrder.LITTLE_ENDIAN);
        return head.putLong(json.size()).put(json.toByteArray()).flip();
    }

    private static void writeFully(FileChannel channel, long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }
}
