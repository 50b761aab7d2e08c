package io.tutti.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A folder with the real script, a Maven wrapper that leaves only the files the script looks for, and a JDK whose
 * {@code java} prints its arguments.
 */
final class FakeCheckout {
    /** How a finished start ended, and what it wrote. */
    record Outcome(int status, String out, String err) {}

    /** A start that may still be running. */
    record Started(Process process, Path out, Path err) {
        Outcome await() throws IOException, InterruptedException {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the script ends in time; so far it said: %s", Files.readString(err))
                    .isTrue();
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
        }
    }

    private static final String MVNW = """
            #!/bin/sh
            echo "$*" >>builds.log
            echo "noise of the build"
            [ -z "${FAKE_BUILD_FAILS:-}" ] || exit 1
            mkdir -p benchmarks/target/lib
            touch benchmarks/target/tutti.jar benchmarks/target/tutti.stamp
            """;

    private static final String JAVA = """
            #!/bin/sh
            for argument; do
              case $argument in
                -XX:ArchiveClassesAtExit=*)
                  echo archive >>"$FAKE_ROOT/archives.log"
                  [ -n "${FAKE_NO_ARCHIVE:-}" ] || echo archive >"${argument#*=}"
                  exit 0 ;;
              esac
            done
            for argument; do echo "<$argument>"; done
            exit "${FAKE_STATUS:-0}"
            """;

    final Path root;
    final Path jdk;
    private final Path outputs;

    FakeCheckout(Path parent) throws IOException {
        root = Files.createDirectories(parent.resolve("a checkout"));
        jdk = Files.createDirectories(parent.resolve("a jdk"));
        outputs = Files.createDirectories(parent.resolve("outputs"));
        // Tests run in their module's folder.
        executable(root.resolve("tutti"), Files.readString(Path.of("..", "tutti")));
        executable(root.resolve("mvnw"), MVNW);
        executable(Files.createDirectories(jdk.resolve("bin")).resolve("java"), JAVA);
        javaVersion("17.0.2");
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.createDirectories(root.resolve(".mvn"));
        Files.writeString(source(), "class Main {}");
    }

    /** The one source file. */
    Path source() throws IOException {
        return Files.createDirectories(root.resolve("launcher/src/main")).resolve("Main.java");
    }

    /** What the JDK says of itself. */
    void javaVersion(String version) throws IOException {
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
    }

    int builds() throws IOException {
        return linesOf("builds.log");
    }

    int archives() throws IOException {
        return linesOf("archives.log");
    }

    Outcome run(String... arguments) throws IOException, InterruptedException {
        return start(root.resolve("tutti"), Map.of(), arguments).await();
    }

    Started start(Path script, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(Arrays.asList(arguments));
        Path out = Files.createTempFile(outputs, "stdout", ".txt");
        Path err = Files.createTempFile(outputs, "stderr", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(outputs.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().remove("TUTTI_JAVA_OPTS");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("FAKE_ROOT", root.toString());
        builder.environment().putAll(environment);
        return new Started(builder.start(), out, err);
    }

    private int linesOf(String log) throws IOException {
        Path file = root.resolve(log);
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private static void executable(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
