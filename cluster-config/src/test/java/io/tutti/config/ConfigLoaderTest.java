package io.tutti.config;

import static io.tutti.config.ConfigText.mistakesOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.typesafe.config.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layers, and files that cannot be read. */
final class ConfigLoaderTest {

    @TempDir
    Path folder;

    @Test
    void overrides_win_over_the_file_and_the_file_over_the_profile() throws IOException {
        Path file = write("a.conf", "tutti.communicator-defaults.world-size = 6", "tutti.cluster.port = 3000");
        Config config = ConfigLoader.load(
                Optional.of(file),
                Optional.of("eight-ranks"),
                List.of(new ConfigOverride("tutti.cluster.port", 4000, "option --port")),
                Map.of());

        TuttiSettings settings = TuttiSettings.load(config, Map.of());
        assertThat(settings.communicators().get(0).worldSize()).isEqualTo(6);
        assertThat(settings.cluster().port()).isEqualTo(4000);
    }

    @Test
    void an_override_for_each_communicator_reaches_those_of_the_file() throws IOException {
        Path file = write("a.conf", "tutti.communicators { a { world-size = 2 }, b { world-size = 3 } }");

        assertThat(withRanks(Optional.of(file), 5).communicators())
                .extracting(CommunicatorSettings::name, CommunicatorSettings::worldSize)
                .containsExactly(tuple("a", 5), tuple("b", 5));
    }

    @Test
    void an_override_for_each_communicator_reaches_the_default_one() {
        assertThat(withRanks(Optional.empty(), 2).communicators())
                .containsExactly(new CommunicatorSettings("tp0", 2, List.of(0, 1)));
    }

    @Test
    void a_bad_override_is_reported_with_its_option() {
        assertThat(mistakesOf(() -> withRanks(Optional.empty(), 73)))
                .containsExactly("option --ranks: tutti.communicators.tp0.world-size is 73;"
                        + " allowed: an integer from 1 to 72");
    }

    @Test
    void a_mistake_in_a_file_has_its_line() throws IOException {
        Path file = write("a.conf", "tutti {", "  # the port", "  cluster.port = 70000", "}");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(file + ":3: tutti.cluster.port is 70000; allowed: an integer from 0 to 65535");
    }

    @Test
    void a_mistake_in_an_included_file_has_that_files_line() throws IOException {
        Path inner = write("inner.conf", "", "tutti.driver = rocm");
        Path file = write("a.conf", "include \"inner.conf\"");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(inner + ":2: tutti.driver is rocm; allowed: auto, cuda, host");
    }

    @Test
    void a_syntax_error_has_its_line() throws IOException {
        Path file = write("a.conf", "tutti {", "  cluster { port = 1", "");

        assertThat(mistakesOf(() -> load(file)))
                .singleElement()
                .asString()
                .startsWith(file + ":")
                .contains("cannot be read: ")
                .endsWith("correct the syntax; the format is HOCON");
    }

    @Test
    void a_missing_include_is_shown_where_it_is_written() throws IOException {
        Path file = write("a.conf", "tutti {}", "include \"nowhere.conf\"");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(
                        file + ":2: includes nowhere.conf, which cannot be read; correct the name, or remove it");
    }

    @Test
    void a_missing_include_of_every_form_is_found() throws IOException {
        for (String form : List.of(
                "required(\"no.conf\")",
                "file(\"no.conf\")",
                "classpath(\"no.conf\")",
                "required(file(\"no.conf\"))",
                "url(\"file:no.conf\")")) {
            Path file = write("a.conf", "", "include " + form);
            assertThat(mistakesOf(() -> load(file)))
                    .as(form)
                    .singleElement()
                    .asString()
                    .startsWith(file + ":2: includes ")
                    .contains("no.conf, which cannot be read");
        }
    }

    @Test
    void a_missing_include_of_an_included_file_is_shown_there() throws IOException {
        Path inner = write("inner.conf", "", "", "include \"nowhere.conf\"");
        Path file = write("a.conf", "include \"inner.conf\"");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(
                        inner + ":3: includes nowhere.conf, which cannot be read; correct the name, or remove it");
    }

    @Test
    void a_file_that_includes_itself_is_found() throws IOException {
        Path file = write("a.conf", "include \"a.conf\"");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(
                        file + ":1: includes a.conf, which is being read already; correct the name, or remove it");
    }

    @Test
    void a_mistake_that_comes_through_a_substitution_has_the_substitutions_line() throws IOException {
        Path file = write(
                "a.conf",
                "tutti.cluster {",
                "  port = ${tutti.cluster.name}",
                "  hostt = ${tutti.cluster.host}",
                "  seed-nodes = [${tutti.cluster.name}]",
                "}",
                "tutti.heartbeat = ${tutti.workspace}",
                "mine = 70000",
                "tutti.communicators.a.world-size = ${mine}");

        assertThat(mistakesOf(() -> load(file)))
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).startsWith(file + ":2: tutti.cluster.port is tutti;"),
                        text -> assertThat(text).startsWith(file + ":3: tutti.cluster.hostt is no setting"),
                        text -> assertThat(text).startsWith(file + ":4: tutti.cluster.seed-nodes contains tutti;"),
                        text -> assertThat(text).startsWith(file + ":6: tutti.heartbeat.size is no setting"),
                        text -> assertThat(text).startsWith(file + ":7: tutti.communicators.a.world-size is 70000"));
    }

    @Test
    void a_mistake_through_a_substitution_in_a_programs_own_configuration_has_its_line_too() {
        assertThat(ConfigText.mistakes("", "tutti.cluster.port = ${tutti.cluster.name}"))
                .containsExactly("test:2: tutti.cluster.port is tutti; allowed: an integer from 0 to 65535");
    }

    @Test
    void an_unresolved_substitution_has_its_line() throws IOException {
        Path file = write("a.conf", "", "tutti.topology = ${TOPOLOGY}");

        assertThat(mistakesOf(() -> load(file)))
                .singleElement()
                .asString()
                .startsWith(file + ":2: refers to something that does not exist: ");
    }

    @Test
    void a_substitution_may_come_from_the_environment() throws IOException {
        Path file = write("a.conf", "tutti.topology = ${?TOPOLOGY}", "tutti.cluster.port = ${?PORT}");
        Map<String, String> environment = Map.of("TOPOLOGY", "h200-8", "PORT", "x");

        assertThat(mistakesOf(() -> TuttiSettings.load(
                        ConfigLoader.load(Optional.of(file), Optional.empty(), List.of(), environment), environment)))
                .containsExactly(
                        "environment variable PORT: tutti.cluster.port is x;" + " allowed: an integer from 0 to 65535");
        assertThat(TuttiSettings.load(ConfigLoader.load(
                                Optional.of(file), Optional.empty(), List.of(), Map.of("TOPOLOGY", "h200-8")))
                        .topology())
                .isEqualTo("h200-8");
    }

    @Test
    void a_file_that_does_not_exist_is_named() {
        Path file = folder.resolve("none.conf");

        assertThat(mistakesOf(() -> load(file))).containsExactly(file + ": does not exist; name an existing file");
    }

    @Test
    void a_folder_is_no_file() {
        assertThat(mistakesOf(() -> load(folder)))
                .containsExactly(folder + ": is not a regular file; name a file in HOCON format");
    }

    @Test
    void a_file_that_this_user_may_not_read_is_named() throws IOException {
        Path file = write("a.conf", "tutti {}");
        Files.setPosixFilePermissions(file, Set.of());
        assumeThat(Files.isReadable(file))
                .as("the superuser may read every file, so this cannot be tried")
                .isFalse();

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(file + ": cannot be read (AccessDeniedException); check that this user may read it");
    }

    @Test
    void a_file_that_is_nested_too_deeply_is_refused() throws IOException {
        Path file = write("a.conf", "tutti.inject = " + "[".repeat(200_000));

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(file + ": is nested too deeply; use fewer levels of lists and objects");
    }

    @Test
    void a_byte_order_mark_is_refused() throws IOException {
        Path file = Files.writeString(folder.resolve("a.conf"), "\uFEFFtutti {}");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(file + ":1: begins with a byte order mark (UTF-8); save it as UTF-8 without one");
        Files.write(file, "\uFEFFtutti {}".getBytes(StandardCharsets.UTF_16LE));
        assertThat(mistakesOf(() -> load(file)))
                .containsExactly(file + ":1: begins with a byte order mark (UTF-16); save it as UTF-8 without one");
    }

    @Test
    void another_encoding_is_refused_at_its_line() throws IOException {
        Path file =
                Files.write(folder.resolve("a.conf"), "tutti {}\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(mistakesOf(() -> load(file))).containsExactly(file + ":2: is not UTF-8 text; save it as UTF-8");
    }

    @Test
    void settings_outside_of_tutti_are_not_ignored() throws IOException {
        Path file = write("a.conf", "cluster.port = 1", "tuti.cluster.port = 1", "pekko.loglevel = DEBUG", "mine = 1");

        assertThat(mistakesOf(() -> load(file)))
                .containsExactlyInAnyOrder(
                        file + ":1: cluster is no setting; did you mean tutti.cluster?",
                        file + ":2: tuti is no setting; did you mean tutti?");
    }

    @Test
    void an_unknown_profile_lists_all_of_them() {
        assertThat(mistakesOf(
                        () -> ConfigLoader.load(Optional.empty(), Optional.of("one-machin"), List.of(), Map.of())))
                .containsExactly("profile one-machin: there is no such profile;"
                        + " did you mean one-machine? allowed: ci, eight-ranks, one-machine");
    }

    @Test
    void every_profile_is_listed_and_good() throws Exception {
        Path profiles = Path.of(
                Profiles.class.getResource("/" + Profiles.FOLDER + "ci.conf").toURI());
        try (var files = Files.list(profiles.getParent())) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".conf", "")))
                    .containsExactlyInAnyOrderElementsOf(Profiles.names());
        }
        for (String name : Profiles.names()) {
            Config config = ConfigLoader.load(Optional.empty(), Optional.of(name), List.of(), Map.of());
            assertThat(TuttiSettings.load(config, Map.of()).cluster().onLoopback())
                    .as(name)
                    .isTrue();
        }
    }

    private TuttiSettings load(Path file) {
        return TuttiSettings.load(
                ConfigLoader.load(Optional.of(file), Optional.empty(), List.of(), Map.of()), Map.of());
    }

    private static TuttiSettings withRanks(Optional<Path> file, int ranks) {
        ConfigOverride override = new ConfigOverride("tutti.communicators.*.world-size", ranks, "option --ranks");
        return TuttiSettings.load(ConfigLoader.load(file, Optional.empty(), List.of(override), Map.of()), Map.of());
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }
}
