package io.tutti.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank process that is killed at a named point: the others are free within a second, and the rank is named. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class KilledAtStageIT {

    private static final Pattern PID = Pattern.compile("pid=([0-9]+)\\.");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "before export",
                "after export",
                "after import",
                "before verify",
                "after arm",
                "before commit",
                "after commit"
            })
    void whileAnEpochForms(String point) throws Exception {
        String at = point + " 1";
        try (TuttiProgram program = TuttiProgram.start(
                folder,
                List.of("-D" + StoppingObserver.PROPERTY + "=" + at),
                "run",
                "--json",
                "--verbose",
                "--ranks",
                "3",
                "--processes",
                "3",
                "--tokens",
                "1",
                "--hidden",
                "64")) {
            Matcher pid = PID.matcher(program.awaitErr(StoppingObserver.ANNOUNCEMENT + at));
            if (!pid.find()) {
                throw new AssertionError("no pid was announced: " + program.err());
            }
            TuttiProgram.signal("KILL", List.of(Long.valueOf(pid.group(1))));
            Deaths.assertNamesRankAndOthersWereFree(program.await(), "1");
            program.leftBehind().assertNothing();
        }
    }

    @Test
    void afterAllOperationsCompleted() throws Exception {
        try (TuttiProgram program = TuttiProgram.start(
                folder,
                "run",
                "--json",
                "--ranks",
                "3",
                "--processes",
                "3",
                "--tokens",
                "20000",
                "--hidden",
                "2048",
                "--iterations",
                "1")) {
            program.awaitErr("rows checked");
            TuttiProgram.signal("KILL", List.of(program.awaitRankProcesses(3).get(1)));
            Deaths.assertNamesRankAndOthersWereFree(program.await(), "1");
            program.leftBehind().assertNothing();
        }
    }
}
