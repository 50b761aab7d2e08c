package io.tutti.launcher.processes;

import static io.tutti.launcher.processes.JvmCommand.Compilation.FULL;
import static io.tutti.launcher.processes.JvmCommand.Compilation.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JvmCommandTest {

    private static final List<String> RUN = List.of("rank-process", "--ranks", "4");

    @Test
    void aRankProcessHasTheOptionsAndTheJarOfItsLauncher() {
        JvmCommand command = JvmCommand.parse(
                        "/jdk/bin/java",
                        List.of("java", "-Xmx300m", "-XX:SharedArchiveFile=a.jsa", "-jar", "a b.jar", "run", "--json"),
                        "a b.jar run --json")
                .orElseThrow();
        List<String> line = command.rankProcess(0, 2, FULL, Map.of(), RUN);
        assertThat(line)
                .startsWith("/bin/sh", "-c")
                .containsSubsequence(
                        "/jdk/bin/java",
                        "-Xmx300m",
                        "-XX:SharedArchiveFile=a.jsa",
                        "-jar",
                        "a b.jar",
                        "rank-process",
                        "--ranks",
                        "4")
                .doesNotContain("run", "--json");
        assertThat(line.stream().filter(option -> option.startsWith("-Xmx"))).hasSize(1);
    }

    @Test
    void aClassPathIsKeptToo() {
        JvmCommand command = JvmCommand.parse(
                        "java",
                        List.of("java", "-cp", "x:y", "--add-opens", "a/b=c", "io.tutti.Main", "run", "run"),
                        "io.tutti.Main run run")
                .orElseThrow();
        assertThat(command.rankProcess(0, 2, FULL, Map.of(), RUN))
                .containsSubsequence("-cp", "x:y", "--add-opens", "a/b=c", "io.tutti.Main", "rank-process")
                .doesNotContain("-jar");
    }

    @Test
    void whatTwoProcessesCannotShareIsLeftOut() {
        JvmCommand command = JvmCommand.parse(
                        "java",
                        List.of(
                                "java",
                                "-agentlib:jdwp=transport=dt_socket,server=y,address=5005",
                                "-XX:ArchiveClassesAtExit=a.jsa",
                                "Main"),
                        "Main")
                .orElseThrow();
        assertThat(command.rankProcess(0, 2, FULL, Map.of(), RUN))
                .noneMatch(option -> option.contains("jdwp") || option.contains("ArchiveClassesAtExit"));
    }

    @Test
    void theHeapThatOneProcessMayTakeIsShared() {
        JvmCommand command =
                JvmCommand.parse("java", List.of("java", "Main"), "Main").orElseThrow();
        long mebibytes = Math.max(256, (Runtime.getRuntime().maxMemory() / 4) >> 20);
        assertThat(command.rankProcess(0, 4, FULL, Map.of(), RUN)).contains("-Xmx" + mebibytes + "m");
    }

    @Test
    void briefWorkIsCompiledQuicklyUnlessTheEnvironmentSaysOtherwise() {
        JvmCommand command = JvmCommand.parse("java", List.of("java", "-XX:TieredStopAtLevel=1", "Main"), "Main")
                .orElseThrow();
        assertThat(command.rankProcess(0, 2, FULL, Map.of(), RUN))
                .as("the launcher's own choice is not theirs")
                .noneMatch(option -> option.startsWith("-XX:TieredStopAtLevel"));
        Map<String, String> environment = Map.of(JvmCommand.OPTIONS_VARIABLE, "-XX:TieredStopAtLevel=4");
        assertThat(command.rankProcess(0, 2, QUICK, environment, RUN))
                .containsSubsequence("-XX:TieredStopAtLevel=1", "-XX:TieredStopAtLevel=4", "Main");
    }

    @Test
    void theEnvironmentAddsOptionsPerProcess() {
        JvmCommand command =
                JvmCommand.parse("java", List.of("java", "Main"), "Main").orElseThrow();
        assertThat(command.rankProcess(
                        3, 4, FULL, Map.of(JvmCommand.OPTIONS_VARIABLE, " -Xint  -XX:HeapDumpPath=p%n.hprof "), RUN))
                .containsSubsequence("-Xint", "-XX:HeapDumpPath=p3.hprof", "Main");
    }

    @Test
    void anUnknownCommandLineIsNotGuessedAt() {
        assertThat(JvmCommand.parse("java", List.of("java", "@file"), "Main run"))
                .isEmpty();
    }
}
