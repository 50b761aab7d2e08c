package io.tutti.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page's table of rules is that of the model, and names places that are there. */
final class ModelPageTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (.+?) \\| `(\\w+)\\.(\\w+)` \\|$");
    private static final Pattern KERNEL = Pattern.compile("`(\\w+\\.cuh)` `(\\w+)`");

    @Test
    void everyRuleHasItsRowInOrderWithTheMarginsLast() throws IOException {
        List<String> rows = new ArrayList<>();
        Matcher row = ROW.matcher(page());
        while (row.find()) {
            rows.add(row.group(1));
        }
        List<String> rules = Arrays.stream(Rule.values()).map(Rule::name).toList();
        assertThat(rows).containsExactlyInAnyOrderElementsOf(rules);
        assertThat(rows.subList(rows.size() - Rule.MARGINS.size(), rows.size()))
                .containsExactlyInAnyOrderElementsOf(
                        Rule.MARGINS.stream().map(Rule::name).toList());
    }

    @Test
    void everyPlaceInTheKernelsAndInTheModelIsThere() throws IOException {
        Matcher row = ROW.matcher(page());
        while (row.find()) {
            Matcher kernel = KERNEL.matcher(row.group(2));
            while (kernel.find()) {
                String source = Files.readString(Path.of("src", "main", "cuda", kernel.group(1)));
                assertThat(source)
                        .as(kernel.group())
                        .containsPattern("(?m)^.*__device__.*\\b" + kernel.group(2) + "\\(");
            }
            String model = Files.readString(
                    Path.of("src", "test", "java", "io", "tutti", "gpu", "model", row.group(3) + ".java"));
            assertThat(model).as(row.group(3)).containsPattern("\\b" + row.group(4) + "\\(");
        }
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "memory-model.md"));
    }
}
