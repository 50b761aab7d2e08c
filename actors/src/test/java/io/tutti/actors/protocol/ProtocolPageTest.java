package io.tutti.actors.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Holds docs/protocol.md to the tests that it names, and the tests to the page. */
class ProtocolPageTest {

    private static final List<String> SUITES = List.of(
            "coordinator.MembershipTest",
            "coordinator.FormingTest",
            "coordinator.EpochTest",
            "coordinator.RefusalsTest",
            "rank.WorkTest",
            "rank.DrainTest");

    @Test
    void everyRuleNamesATestThatExists() throws Exception {
        assertThat(existing()).containsAll(named());
    }

    @Test
    void mostTestsOfTheTablesAreNamedByARule() throws Exception {
        Set<String> unnamed = existing();
        unnamed.removeAll(named());
        assertThat(unnamed)
                .as("tests that no rule names")
                .hasSizeLessThan(existing().size() / 4);
    }

    private static Set<String> named() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "protocol.md"));
        Set<String> names = new TreeSet<>();
        Pattern.compile("`(\\w+Test\\.\\w+)`").matcher(page).results().forEach(match -> names.add(match.group(1)));
        assertThat(names).hasSizeGreaterThan(50);
        return names;
    }

    private static Set<String> existing() throws ClassNotFoundException {
        Set<String> names = new TreeSet<>();
        for (String suite : SUITES) {
            Class<?> type = Class.forName("io.tutti.actors.protocol." + suite);
            tests(type).forEach(test -> names.add(type.getSimpleName() + "." + test.getName()));
        }
        return names;
    }

    private static Stream<Method> tests(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class));
    }
}
