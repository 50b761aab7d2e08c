package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples on the page {@code docs/numerics.md} are true. */
class NumericsPageTest {
    private static final float EPS = Float.intBitsToFloat(0x358637bd);

    private List<String[]> rows = List.of();

    @BeforeEach
    void readThePage() throws IOException {
        // A module's tests run in the module's folder.
        rows = Files.readAllLines(Path.of("..", "docs", "numerics.md")).stream()
                .filter(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.replace("`", "").trim())
                        .toArray(String[]::new))
                .toList();
    }

    @Test
    void everyRowOfTheRoundingTableIsRight() {
        int found = 0;
        for (String[] cells : rows) {
            if (cells.length == 5 && cells[0].matches("[0-9a-f]{8}")) {
                float value = Float.intBitsToFloat(hex(cells[0])[0]);
                for (int i = 0; i < 3; i++) {
                    DType type = DType.values()[i];
                    assertThat(TensorBits.round(type, value))
                            .as("%s to %s", cells[0], type)
                            .isEqualTo(hex(cells[i + 1])[0]);
                }
                found++;
            }
        }
        assertThat(found).isEqualTo(22);
    }

    @Test
    void everyWorkedExampleIsRight() {
        int found = 0;
        Map<String, int[]> example = new HashMap<>();
        DType type = DType.BF16;
        for (String[] cells : rows) {
            if (cells.length == 2 && cells[0].isEmpty() && cells[1].matches("bf16|fp16|fp32")) {
                type = DType.parse(cells[1]);
            } else if (cells.length == 2 && cells[1].matches("[0-9a-f]{4,8}( [0-9a-f]{4,8})+")) {
                example.put(cells[0], hex(cells[1]));
            }
            if (example.containsKey("norm_out, bias 1")) {
                assertExample(type, example);
                example.clear();
                found++;
            }
        }
        assertThat(found).isEqualTo(3);
    }

    private static void assertExample(DType type, Map<String, int[]> example) {
        CanonicalRow row = new CanonicalRow(type, 8);
        row.start(8);
        row.add(words(type, example, "partial of rank 0"), 0);
        row.add(words(type, example, "partial of rank 1"), 0);
        int[] out = new int[8 * type.bytes() / 4];
        row.round(out, 0);
        assertThat(out).as("%s sum", type).isEqualTo(words(type, example, "sum"));
        row.add(words(type, example, "residual"), 0);
        int[] residualOut = new int[out.length];
        row.round(residualOut, 0);
        assertThat(residualOut).as("%s residual_out", type).isEqualTo(words(type, example, "residual_out"));
        for (int bias = 0; bias < 2; bias++) {
            row.weights(words(type, example, "gamma"), 0, 8, bias);
            row.norm(residualOut, 0, EPS, out, 0);
            assertThat(out).as("%s bias %d", type, bias).isEqualTo(words(type, example, "norm_out, bias " + bias));
        }
    }

    private static int[] words(DType type, Map<String, int[]> example, String label) {
        int[] elements = example.getOrDefault(label, new int[8]);
        int perWord = 4 / type.bytes();
        int[] words = new int[elements.length / perWord];
        for (int i = 0; i < elements.length; i++) {
            words[i / perWord] |= elements[i] << (16 * (i % perWord));
        }
        return words;
    }

    private static int[] hex(String elements) {
        return Arrays.stream(elements.split(" "))
                .mapToInt(element -> Integer.parseUnsignedInt(element, 16))
                .toArray();
    }
}
