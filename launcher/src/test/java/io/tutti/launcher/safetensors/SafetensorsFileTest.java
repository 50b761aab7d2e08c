package io.tutti.launcher.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsFileTest {

    @TempDir
    Path folder;

    @Test
    void tensorsMayComeInAnyOrderWithMetadataScalarsEmptyTensorsAndPadding() throws Exception {
        String header = """
                {"b":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]},
                 "__metadata__":{"format":"pt"},
                 "empty":{"dtype":"I64","shape":[0,9],"data_offsets":[16,16]},
                 "a":{"shape":[],"data_offsets":[0,8],"dtype":"F64"}}\040\040\040\s""";
        try (SafetensorsFile file = SafetensorsFile.open(RawFile.write(folder, RawFile.bytes(header, 16)))) {
            assertThat(file.tensors())
                    .containsExactly(
                            Map.entry("b", new TensorEntry("b", ElementType.F32, List.of(1L, 2L), 8, 16)),
                            Map.entry("empty", new TensorEntry("empty", ElementType.I64, List.of(0L, 9L), 16, 16)),
                            Map.entry("a", new TensorEntry("a", ElementType.F64, List.of(), 0, 8)));
            assertThat(file.metadata()).containsEntry("format", "pt");
        }
    }

    @Test
    void aFileWithoutTensorsIsValid() throws Exception {
        try (SafetensorsFile file = SafetensorsFile.open(RawFile.write(folder, RawFile.bytes("{}", 0)))) {
            assertThat(file.tensors()).isEmpty();
            assertThat(file.metadata()).isEmpty();
        }
    }

    @Test
    void anyPieceOfATensorIsReadAtItsOffset() throws Exception {
        String header = """
                {"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},\
                "b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}}""";
        try (SafetensorsFile file = SafetensorsFile.open(RawFile.write(folder, RawFile.bytes(header, 12)))) {
            TensorEntry tensor = Objects.requireNonNull(file.tensors().get("b"));
            ByteBuffer piece = ByteBuffer.allocate(3);
            file.read(tensor, 5, piece);
            assertThat(piece.array()).containsExactly(9, 10, 11);
            assertThatThrownBy(() -> file.read(tensor, 6, ByteBuffer.allocate(3)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> file.read(tensor, -1, ByteBuffer.allocate(3)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void tensorsBeyondTwoGibibytesAreReadInPlace() throws Exception {
        long bytes = 3L << 30;
        String header = "{\"big\":{\"dtype\":\"U8\",\"shape\":[" + bytes + "],\"data_offsets\":[0," + bytes + "]}}";
        Path path = RawFile.write(folder, RawFile.bytes(header, 0));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            // A sparse file: only its last byte takes space.
            channel.write(ByteBuffer.wrap(new byte[] {42}), channel.size() + bytes - 1);
        }
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            ByteBuffer last = ByteBuffer.allocate(2);
            file.read(Objects.requireNonNull(file.tensors().get("big")), bytes - 2, last);
            assertThat(last.array()).containsExactly(0, 42);
        }
    }
}
