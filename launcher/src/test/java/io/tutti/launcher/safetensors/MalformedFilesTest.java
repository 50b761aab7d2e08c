package io.tutti.launcher.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every lie that a header can tell is an INPUT error that names the file and what is wrong in it. */
class MalformedFilesTest {

    @TempDir
    Path folder;

    private record Lie(String name, byte[] file, String[] words) {}

    private static Lie lie(String name, String header, int dataBytes, String... words) {
        return new Lie(name, RawFile.bytes(header, dataBytes), words);
    }

    private static String one(String dtype, String shape, String offsets) {
        return "{\"t\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}";
    }

    private static String two(String first, String second) {
        return "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" + first + "},\"b\":{\"dtype\":\"U8\","
                + "\"shape\":[4],\"data_offsets\":" + second + "}}";
    }

    private static Lie length(String name, long claimed, String... words) {
        byte[] header = one("U8", "[4]", "[0,4]").getBytes(StandardCharsets.UTF_8);
        return new Lie(name, RawFile.bytes(claimed, header, 4), words);
    }

    @TestFactory
    Stream<DynamicTest> isRefused() {
        String good = one("F32", "[2]", "[0,8]");
        return Stream.of(
                        new Lie("an empty file", new byte[0], new String[] {"too short", "bytes=0"}),
                        new Lie("seven bytes", new byte[7], new String[] {"too short"}),
                        length("a header length near 2^63", Long.MAX_VALUE, "9223372036854775807"),
                        length("a header length near 2^63 that wraps when 8 is added", Long.MAX_VALUE - 7, "beyond"),
                        length("a negative header length", -1, "18446744073709551615"),
                        length("a header length over the format's bound", 100_000_001, "largest=100000000"),
                        length("a header longer than the file", 1_000, "longer than the file", "headerBytes=1000"),
                        length("a header length of zero", 0, "the header is empty"),
                        length("a header length that cuts the JSON", 20, "not JSON"),
                        lie("a header that is an array", "[]", 0, "start with '{'"),
                        lie("a header that starts with a space", " {}", 0, "start with '{'"),
                        lie("text after the header's object", "{} {}", 0, "goes on"),
                        lie("garbage after the header's object", "{} x", 0, "not JSON"),
                        lie("not JSON", "{\"t\":nonsense}", 0, "not JSON"),
                        new Lie("a header in UTF-16", utf16(), new String[] {"not JSON"}),
                        new Lie("a header that is not UTF-8", notUtf8(), new String[] {"not UTF-8"}),
                        lie(
                                "a doubled tensor",
                                good.substring(0, good.length() - 1) + "," + good.substring(1),
                                8,
                                "a name twice",
                                "'t'"),
                        lie("a doubled key", "{\"t\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0, "a name twice"),
                        lie("a doubled __metadata__", "{\"__metadata__\":{},\"__metadata__\":{}}", 0, "a name twice"),
                        lie("an unknown dtype", one("F33", "[2]", "[0,8]"), 8, "\"t\"", "\"F33\"", "known: "),
                        lie("a dtype that is a number", good.replace("\"F32\"", "7"), 8, "dtype of \"t\""),
                        lie("a shape larger than its offsets", one("F32", "[3]", "[0,8]"), 8, "needs=12", "spans=8"),
                        lie("a shape smaller than its offsets", one("F32", "[1]", "[0,8]"), 8, "needs=4"),
                        lie("a negative dimension", one("F32", "[-2]", "[0,8]"), 8, "shape[0]=\"-2\""),
                        lie("two negative dimensions", one("F32", "[-1,-2]", "[0,8]"), 8, "shape[0]=\"-1\""),
                        lie("a dimension over 63 bits", one("F32", "[9223372036854775808]", "[0,8]"), 8, "shape[0]"),
                        lie(
                                "dimensions whose product wraps to the right size",
                                one("U8", "[4294967297,4294967296]", "[0,4294967296]"),
                                8,
                                "63 bits"),
                        lie(
                                "a size that wraps by the element's bytes",
                                one("F32", "[4611686018427387905]", "[0,4]"),
                                4,
                                "63 bits"),
                        lie("a fractional dimension", one("F32", "[2.0]", "[0,8]"), 8, "shape[0]=\"2.0\""),
                        lie("a dimension that is a text", one("F32", "[\"2\"]", "[0,8]"), 8, "shape[0]"),
                        lie("a nested shape", one("F32", "[[2]]", "[0,8]"), 8, "shape[0]"),
                        lie("a shape that is a number", one("F32", "2", "[0,8]"), 8, "an array"),
                        lie("offsets that run backwards", one("F32", "[2]", "[8,0]"), 8, "[8, 0]"),
                        lie("one offset", one("F32", "[2]", "[8]"), 8, "begin and an end"),
                        lie("three offsets", one("F32", "[2]", "[0,8,8]"), 8, "begin and an end"),
                        lie("a negative offset", one("F32", "[2]", "[-8,0]"), 8, "data_offsets[0]=\"-8\""),
                        lie(
                                "an offset near 2^63",
                                one("F32", "[2]", "[9223372036854775799,9223372036854775807]"),
                                8,
                                "after the end of the file"),
                        lie("offsets outside the data", one("F32", "[4]", "[0,16]"), 8, "dataBytes=8"),
                        lie("overlapping tensors", two("[0,4]", "[2,6]"), 6, "\"b\"", "overlaps", "previousEnd=4"),
                        lie("equal tensors", two("[0,4]", "[0,4]"), 4, "overlaps"),
                        lie("a hole between tensors", two("[0,4]", "[5,9]"), 9, "hole", "previousEnd=4"),
                        lie("a hole before the first tensor", one("F32", "[2]", "[4,12]"), 12, "hole"),
                        lie(
                                "an unaligned tensor",
                                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                                        + "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[1,5]}}",
                                5,
                                "\"b\"",
                                "not aligned",
                                "elementBytes=4"),
                        lie("trailing bytes", good, 9, "belong to no tensor", "covered=8"),
                        lie("bytes without a tensor", "{}", 1, "belong to no tensor"),
                        lie("a missing dtype", "{\"t\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "key=dtype"),
                        lie("a missing shape", "{\"t\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8, "key=shape"),
                        lie("missing offsets", "{\"t\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, "key=data_offsets"),
                        lie("an unknown key", good.replace("\"shape\"", "\"x\":1,\"shape\""), 8, "key=\"x\""),
                        lie("a tensor that is null", "{\"t\":null}", 0, "tensor \"t\" must be an object"),
                        lie("metadata that is a text", "{\"__metadata__\":\"x\"}", 0, "__metadata__ must be an object"),
                        lie("metadata with a number", "{\"__metadata__\":{\"n\":1}}", 0, "\"n\" must be a text"),
                        lie("a name with control characters", "{\"\\u001b[2J\":null}", 0, "\\u001b[2J"),
                        lie("nesting without end", "{\"t\":" + "[".repeat(5_000), 0, "an object"),
                        lie("a number without end", one("F32", "[" + "9".repeat(5_000) + "]", "[0,8]"), 8, "not JSON"))
                .map(lie -> DynamicTest.dynamicTest(lie.name(), () -> refused(lie)));
    }

    private void refused(Lie lie) throws IOException {
        Path path = RawFile.write(folder, lie.file());
        assertThat(error(path).getMessage())
                .contains("file=" + path)
                .contains(lie.words())
                .hasSizeLessThan(600);
    }

    private static byte[] utf16() {
        byte[] header = "{\"t\":null}".getBytes(StandardCharsets.UTF_16LE);
        return RawFile.bytes(header.length, header, 0);
    }

    private static byte[] notUtf8() {
        byte[] header = {'{', '"', (byte) 0xff, '"', '}'};
        return RawFile.bytes(header.length, header, 0);
    }

    @Test
    void aFolderOrAMissingFileIsRefused() {
        assertThat(error(folder).getMessage()).contains("not a regular file");
        assertThat(error(folder.resolve("none")).getMessage()).contains("does not exist");
    }

    @Test
    void everyTruncationOfAGoodFileIsRefused() throws Exception {
        byte[] good = RawFile.bytes(two("[0,4]", "[4,8]"), 8);
        for (int length = 0; length < good.length; length++) {
            assertThat(error(RawFile.write(folder, Arrays.copyOf(good, length))))
                    .as("the first %d bytes", length)
                    .isNotNull();
        }
    }

    private static TuttiException error(Path path) {
        TuttiException error = catchThrowableOfType(
                TuttiException.class, () -> SafetensorsFile.open(path).close());
        assertThat(error).as("%s was accepted", Files.exists(path)).isNotNull();
        assertThat(error.code()).isEqualTo(ErrorCode.INPUT);
        assertThat(error.info().advice()).isNotBlank();
        return error;
    }
}
