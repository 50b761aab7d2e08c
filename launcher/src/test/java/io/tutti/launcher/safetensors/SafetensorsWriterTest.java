package io.tutti.launcher.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsWriterTest {

    private static final List<SafetensorsWriter.Tensor> CONTENT = List.of(
            new SafetensorsWriter.Tensor("residual_out", ElementType.F32, List.of(2L, 3L)),
            new SafetensorsWriter.Tensor("norm_out", ElementType.BF16, List.of(2L, 2L)));

    @TempDir
    Path folder;

    @Test
    void whatWasWrittenIsReadBack() throws Exception {
        Path path = folder.resolve("out.safetensors");
        byte[] first = numbered(24, 1);
        byte[] second = numbered(8, 100);
        try (SafetensorsWriter writer = SafetensorsWriter.create(path, CONTENT, Map.of("made by", "a \"test\""))) {
            writer.append("residual_out", ByteBuffer.wrap(first, 0, 10));
            writer.append("norm_out", ByteBuffer.wrap(second));
            writer.append("residual_out", ByteBuffer.wrap(first, 10, 14));
            writer.commit();
        }
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            assertThat(file.metadata()).containsExactly(Map.entry("made by", "a \"test\""));
            assertThat(read(file, "residual_out")).isEqualTo(first);
            assertThat(read(file, "norm_out")).isEqualTo(second);
        }
        long headerBytes = ByteBuffer.wrap(Files.readAllBytes(path))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(0);
        assertThat(headerBytes % 8).isZero();
        assertThat(names()).containsExactly("out.safetensors");
    }

    @Test
    void closingWithoutACommitLeavesTheOldFileAndNothingElse() throws Exception {
        Path path = Files.writeString(folder.resolve("out.safetensors"), "old");
        try (SafetensorsWriter writer = SafetensorsWriter.create(path, CONTENT, Map.of())) {
            writer.append("norm_out", ByteBuffer.allocate(8));
        }
        assertThat(path).hasContent("old");
        assertThat(names()).containsExactly("out.safetensors");
    }

    @Test
    void anIncompleteFileIsNotCommitted() throws Exception {
        try (SafetensorsWriter writer =
                SafetensorsWriter.create(folder.resolve("out.safetensors"), CONTENT, Map.of())) {
            writer.append("norm_out", ByteBuffer.allocate(8));
            assertThatThrownBy(writer::commit).hasMessageContaining("tensor=residual_out bytes=24 written=0");
            assertThatThrownBy(() -> writer.append("norm_out", ByteBuffer.allocate(1)))
                    .hasMessageContaining("more bytes than the tensor has");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void anExistingFileIsReplacedAlsoThroughALink() throws Exception {
        Path path = Files.writeString(folder.resolve("real"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), path);
        try (SafetensorsWriter writer = SafetensorsWriter.create(link, List.of(), Map.of())) {
            writer.commit();
        }
        assertThat(Files.isSymbolicLink(link)).isTrue();
        SafetensorsFile.open(path).close();
    }

    @Test
    void aFolderADeviceOrAMissingFolderIsRefusedBeforeAnythingIsWritten() throws Exception {
        for (Path bad :
                List.of(folder, Path.of("/dev/null"), folder.resolve("none").resolve("out"))) {
            assertThatThrownBy(() -> SafetensorsWriter.create(bad, CONTENT, Map.of()))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.USAGE))
                    .hasMessageContaining("file=" + bad);
        }
        assertThat(names()).isEmpty();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static byte[] read(SafetensorsFile file, String name) {
        TensorEntry tensor = Objects.requireNonNull(file.tensors().get(name));
        ByteBuffer bytes = ByteBuffer.allocate((int) tensor.bytes());
        file.read(tensor, 0, bytes);
        return bytes.array();
    }

    private static byte[] numbered(int count, int from) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (from + i);
        }
        return bytes;
    }
}
