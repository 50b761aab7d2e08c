package io.tutti.launcher.input;

import io.tutti.launcher.safetensors.SafetensorsFile;
import io.tutti.launcher.safetensors.TensorEntry;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Tensors of a safetensors file: {@code rank0.partial}, {@code rank1.partial}, … {@code [tokens, hidden]}, {@code
 * residual} {@code [tokens, hidden]} and {@code gamma} {@code [hidden]}, all of one type. Owns the open file.
 */
public final class FileTensors implements InputTensors, AutoCloseable {

    private final SafetensorsFile file;
    private final InputFileRules.Content content;

    private FileTensors(SafetensorsFile file, InputFileRules.Content content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Opens a file and checks that it holds exactly one operation's inputs.
     *
     * @param needsNorm whether residual and gamma must be there; they may be in any case
     * @throws io.tutti.gpu.TuttiException with code INPUT, naming the tensor and the values
     */
    public static FileTensors open(Path path, boolean needsNorm) {
        SafetensorsFile file = SafetensorsFile.open(path);
        try {
            return new FileTensors(file, InputFileRules.judge(path, file.tensors(), needsNorm));
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public int worldSize() {
        return content.partials().size();
    }

    @Override
    public OperationShape shape() {
        return content.shape();
    }

    @Override
    public void partial(int rank, long firstToken, ByteBuffer rows) {
        read(content.partials().get(rank), firstToken, rows);
    }

    @Override
    public void residual(long firstToken, ByteBuffer rows) {
        read(content.required("residual"), firstToken, rows);
    }

    @Override
    public void gamma(ByteBuffer row) {
        read(content.required("gamma"), 0, row);
    }

    private void read(TensorEntry tensor, long firstToken, ByteBuffer rows) {
        file.read(tensor, Math.multiplyExact(firstToken, (long) shape().rowBytes()), rows);
    }

    @Override
    public void close() {
        file.close();
    }
}
