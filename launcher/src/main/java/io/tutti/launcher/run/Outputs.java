package io.tutti.launcher.run;

import io.tutti.gpu.Epilogue;
import io.tutti.gpu.reference.OutputDigest;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.safetensors.ElementType;
import io.tutti.launcher.safetensors.SafetensorsWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads one rank's checked outputs, tensor after tensor: to hash them, and to write them to a file. */
final class Outputs {

    private final RankTensors rank;
    private final OperationShape shape;
    private final List<OutputTensor> tensors;
    private final Waits waits;

    Outputs(RankTensors rank, OperationShape shape, Epilogue epilogue, Waits waits) {
        this.rank = rank;
        this.shape = shape;
        this.tensors = OutputTensor.of(epilogue);
        this.waits = waits;
    }

    /** SHA-256 in hexadecimal over the tensors' bytes, in their order. */
    String sha256() {
        OutputDigest digest = new OutputDigest();
        tensors.forEach(tensor -> read(tensor, digest::add));
        return digest.hex();
    }

    /** Writes all of them to a safetensors file, or nothing. */
    void write(Path path) {
        ElementType type = ElementType.valueOf(shape.dtype().safetensorsName());
        List<SafetensorsWriter.Tensor> content = tensors.stream()
                .map(tensor -> new SafetensorsWriter.Tensor(
                        tensor.fileName(), type, List.of(shape.tokens(), (long) shape.hidden())))
                .toList();
        try (SafetensorsWriter writer = SafetensorsWriter.create(path, content, Map.of())) {
            tensors.forEach(tensor -> read(tensor, rows -> writer.append(tensor.fileName(), rows)));
            writer.commit();
        }
    }

    private void read(OutputTensor tensor, Consumer<ByteBuffer> sink) {
        RowChunks chunks = new RowChunks(shape, 1);
        ByteBuffer buffer = chunks.buffer();
        chunks.forEach((first, tokens) -> {
            waits.checkpoint();
            ByteBuffer rows = chunks.rows(buffer, tokens);
            rank.read(tensor, chunks.byteOffset(first), rows);
            sink.accept(rows);
        });
    }
}
