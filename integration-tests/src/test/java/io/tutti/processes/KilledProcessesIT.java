package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever is killed or interrupted: the command ends, says what happened, and leaves nothing behind. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class KilledProcessesIT {

    /** What the launcher shows of a long run's progress once its operations run. */
    private static final String OPERATIONS = "operations";

    private static final int SIGKILLED = 128 + 9;

    @TempDir
    Path folder;

    private TuttiProgram longRun() throws IOException {
        return TuttiProgram.start(
                folder,
                "run",
                "--json",
                "--ranks",
                "3",
                "--processes",
                "3",
                "--tokens",
                "1",
                "--hidden",
                "64",
                "--iterations",
                "2000000");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void aSignalClosesEverything(String signal, int status) throws Exception {
        try (TuttiProgram program = longRun()) {
            program.awaitErr(OPERATIONS);
            TuttiProgram.signal(signal, List.of(program.pid()));
            assertThat(program.await().status()).isEqualTo(status);
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void theTerminalsInterruptIsLeftToTheLauncher() throws Exception {
        try (TuttiProgram program = longRun()) {
            program.awaitErr(OPERATIONS);
            List<Long> all = new ArrayList<>(program.awaitRankProcesses(3));
            TuttiProgram.signal("INT", all);
            assertThat(program.rankProcesses()).hasSize(3);
            all.add(program.pid());
            TuttiProgram.signal("INT", all);
            TuttiProgram.Outcome outcome = program.await();
            assertThat(outcome.status()).isEqualTo(130);
            assertThat(outcome.json().get("error").get("code").textValue()).isEqualTo("aborted");
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void theLaunchersDeathEndsItsRankProcesses() throws Exception {
        try (TuttiProgram program = longRun()) {
            program.awaitErr(OPERATIONS);
            program.awaitRankProcesses(3);
            TuttiProgram.signal("KILL", List.of(program.pid()));
            assertThat(program.await().status()).isEqualTo(SIGKILLED);
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void theLaunchersDeathDuringStartEndsItsRankProcesses() throws Exception {
        try (TuttiProgram program = longRun()) {
            program.awaitRankProcesses(3);
            TuttiProgram.signal("KILL", List.of(program.pid()));
            program.await();
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void nothingIsLeftWhenAllAreKilledAtOnce() throws Exception {
        try (TuttiProgram program = longRun()) {
            program.awaitErr(OPERATIONS);
            List<Long> all = new ArrayList<>(program.awaitRankProcesses(3));
            all.add(program.pid());
            TuttiProgram.signal("KILL", all);
            assertThat(program.await().status()).isEqualTo(SIGKILLED);
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void aKilledRankProcessIsNamedAndTheOthersAreFreeWithinASecond() throws Exception {
        try (TuttiProgram program = longRun()) {
            program.awaitErr(OPERATIONS);
            TuttiProgram.signal("KILL", List.of(program.awaitRankProcesses(3).get(1)));
            Deaths.assertNamesRankAndOthersWereFree(program.await(), "1");
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void aRankProcessThatIsKilledDuringStartIsNamed() throws Exception {
        try (TuttiProgram program = longRun()) {
            TuttiProgram.signal("KILL", List.of(program.awaitRankProcesses(3).get(2)));
            JsonNode error = program.await().error(1);
            assertThat(error.get("code").textValue()).isEqualTo("remote");
            assertThat(error.get("message").textValue()).contains("killed by SIGKILL", "ranks=[2]");
            program.leftBehind().assertNothing();
        }
    }
}
