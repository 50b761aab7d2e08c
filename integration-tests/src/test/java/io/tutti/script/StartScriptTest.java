package io.tutti.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.script.FakeCheckout.Outcome;
import io.tutti.script.FakeCheckout.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script needs a POSIX shell")
final class StartScriptTest {
    @TempDir
    Path folder;

    private FakeCheckout checkout;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = new FakeCheckout(folder);
    }

    @Test
    void builds_at_the_first_start_only() throws Exception {
        Outcome first = checkout.run("run");
        Outcome second = checkout.run("run");

        assertThat(checkout.builds()).isEqualTo(1);
        assertThat(checkout.archives()).isEqualTo(1);
        assertThat(first.status()).isZero();
        assertThat(second).isEqualTo(new Outcome(0, first.out(), ""));
    }

    @Test
    void keeps_the_output_of_the_build_away_from_stdout() throws Exception {
        Outcome outcome = checkout.run("run");

        assertThat(outcome.out()).doesNotContain("noise").contains("<run>");
        assertThat(outcome.err()).contains("noise of the build");
    }

    @Test
    void builds_again_when_a_source_is_newer_than_the_build() throws Exception {
        checkout.run("run");
        Files.setLastModifiedTime(checkout.source(), FileTime.from(Instant.now().plusSeconds(10)));
        checkout.run("run");

        assertThat(checkout.builds()).isEqualTo(2);
    }

    @Test
    void builds_once_when_several_start_at_the_same_time() throws Exception {
        List<Started> starts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starts.add(checkout.start(checkout.root.resolve("tutti"), Map.of(), "run", "start " + i));
        }
        for (int i = 0; i < 4; i++) {
            Outcome outcome = starts.get(i).await();
            assertThat(outcome.status()).as(outcome.err()).isZero();
            assertThat(outcome.out()).contains("<start " + i + ">");
        }
        assertThat(checkout.builds()).isEqualTo(1);
        assertThat(checkout.archives()).isEqualTo(1);
    }

    @Test
    void passes_every_argument_on_as_it_is() throws Exception {
        Outcome outcome = checkout.run("run", "two words", "", "*", "$HOME", "--eps=1e-6");

        assertThat(outcome.out()).endsWith("<run>\n<two words>\n<>\n<*>\n<$HOME>\n<--eps=1e-6>\n");
    }

    @Test
    void works_through_symbolic_links() throws Exception {
        Path near = Files.createSymbolicLink(checkout.root.resolve("relative link"), Path.of("tutti"));
        Path far = Files.createSymbolicLink(folder.resolve("absolute link"), near);

        Outcome outcome = checkout.start(far, Map.of(), "run").await();

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("<" + checkout.root.toRealPath().resolve("benchmarks/target/tutti.jar") + ">");
    }

    @Test
    void ends_with_the_status_of_the_program() throws Exception {
        Path script = checkout.root.resolve("tutti");

        assertThat(checkout.start(script, Map.of("FAKE_STATUS", "3"), "run")
                        .await()
                        .status())
                .isEqualTo(3);
    }

    @Test
    void fails_with_status_1_and_an_empty_stdout_when_the_build_fails() throws Exception {
        Path script = checkout.root.resolve("tutti");

        Outcome outcome =
                checkout.start(script, Map.of("FAKE_BUILD_FAILS", "yes"), "run").await();

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("the build failed");
    }

    @Test
    void starts_without_an_archive_where_the_jvm_makes_none_and_tries_only_once() throws Exception {
        Path script = checkout.root.resolve("tutti");
        Map<String, String> none = Map.of("FAKE_NO_ARCHIVE", "yes");

        Outcome first = checkout.start(script, none, "run").await();
        Outcome second = checkout.start(script, none, "run").await();

        assertThat(List.of(first.status(), second.status())).containsOnly(0);
        assertThat(second.out()).doesNotContain("SharedArchiveFile");
        assertThat(checkout.archives()).isEqualTo(1);
    }

    @Test
    void refuses_a_java_older_than_17() throws Exception {
        for (String version : List.of("1.8.0_392", "11.0.22", "16")) {
            checkout.javaVersion(version);
            Outcome outcome = checkout.run("run");

            assertThat(outcome.status()).isEqualTo(2);
            assertThat(outcome.err()).contains("Java 17 or newer").contains(version);
        }
        assertThat(checkout.builds()).isZero();
    }

    @Test
    void refuses_a_java_home_without_java() throws Exception {
        Path script = checkout.root.resolve("tutti");

        Outcome outcome =
                checkout.start(script, Map.of("JAVA_HOME", "/nowhere"), "run").await();

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("JAVA_HOME=/nowhere");
    }
}
