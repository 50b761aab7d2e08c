package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code run --processes} answers. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RunInProcessesIT {

    @TempDir
    Path folder;

    private TuttiProgram.Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("run", "--json"));
        command.addAll(List.of(arguments));
        try (TuttiProgram program = TuttiProgram.start(folder, command.toArray(String[]::new))) {
            TuttiProgram.Outcome outcome = program.await();
            program.leftBehind().assertNothing();
            return outcome;
        }
    }

    @Test
    void fourProcessesGiveTheSameBitsAsOne() throws Exception {
        String[] small = {"--tokens", "7", "--hidden", "1000", "--iterations", "5"};
        TuttiProgram.Outcome one = run(small);
        TuttiProgram.Outcome four = run("--processes", "4", small[0], small[1], small[2], small[3], small[4], small[5]);
        assertThat(four.sha256()).isEqualTo(one.sha256());
        JsonNode communicator = four.communicator();
        assertThat(communicator.get("processes").intValue()).isEqualTo(4);
        assertThat(communicator.get("worldSize").intValue()).isEqualTo(4);
        assertThat(communicator.get("path").textValue()).isEqualTo("p2p");
        assertThat(communicator.get("handleKinds")).hasToString("[\"posix-fd\"]");
        assertThat(communicator.get("operations").get("bitIdenticalAcrossRanks").booleanValue())
                .isTrue();
        assertThat(communicator.get("operations").get("medianMicros").doubleValue())
                .isPositive();
    }

    @Test
    void sixRanksInThreeProcessesUseBothKindsOfHandles() throws Exception {
        String[] six = {"--ranks", "6", "--tokens", "5", "--hidden", "512", "--iterations", "3", "--dtype", "fp16"};
        List<String> three = new ArrayList<>(List.of(six));
        three.addAll(List.of("--processes", "3"));
        TuttiProgram.Outcome outcome = run(three.toArray(String[]::new));
        assertThat(outcome.sha256()).isEqualTo(run(six).sha256());
        assertThat(outcome.communicator().get("handleKinds")).hasToString("[\"in-process\",\"posix-fd\"]");
    }

    @ParameterizedTest
    @CsvSource({"one-shot", "two-shot"})
    void bothAlgorithmsWorkBetweenTwoProcesses(String algorithm) throws Exception {
        String[] two = {"--ranks", "2", "--tokens", "9", "--hidden", "256", "--iterations", "3", "--dtype", "fp32"};
        List<String> processes = new ArrayList<>(List.of(two));
        processes.addAll(List.of("--processes", "2", "--algorithm", algorithm));
        assertThat(run(processes.toArray(String[]::new)).sha256()).isEqualTo(run(two).sha256());
    }

    @Test
    void severalCommunicatorsShareTheProcessesAndEachHasItsResult() throws Exception {
        Path config = Files.writeString(
                folder.resolve("two.conf"), "tutti.communicators { tp0 { world-size = 4 }, tp1 { world-size = 2 } }");
        String[] small = {"--tokens=3", "--hidden=64", "--iterations=3"};
        TuttiProgram.Outcome both = run("--config=" + config, "--processes=2", small[0], small[1], small[2]);
        assertThat(both.communicator().get("handleKinds")).hasToString("[\"in-process\",\"posix-fd\"]");
        JsonNode second = both.json().get("communicators").get(1);
        assertThat(second.get("name").textValue()).isEqualTo("tp1");
        assertThat(second.get("worldSize").intValue()).isEqualTo(2);
        assertThat(second.get("handleKinds")).hasToString("[\"posix-fd\"]");
        assertThat(second.get("operations").get("outputSha256").textValue())
                .isEqualTo(run("--ranks=2", small[0], small[1], small[2]).sha256());
    }

    @Test
    void moreProcessesThanRanksAreBadUsage() throws Exception {
        JsonNode error = run("--ranks", "2", "--processes", "3").error(2);
        assertThat(error.get("code").textValue()).isEqualTo("usage");
        assertThat(error.get("message").textValue()).contains("--processes=3").contains("ranks=2");
    }

    @Test
    void anInjectedFaultOfOneRankIsToldWithItsRankAndCall() throws Exception {
        JsonNode error = run(
                        "--ranks",
                        "2",
                        "--processes",
                        "2",
                        "--inject",
                        "rank=1 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY")
                .error(1);
        assertThat(error.get("rank").intValue()).isEqualTo(1);
        assertThat(error.get("call").textValue()).isEqualTo("cuMemCreate");
        assertThat(error.get("result").textValue()).isEqualTo("CUDA_ERROR_OUT_OF_MEMORY");
    }
}
