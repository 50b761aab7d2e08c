package io.tutti.fidelity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A recording is made whatever the steps do to their processes. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RecorderTest {

    /** A process cannot find it in the script, and ends. */
    private static final Step FATAL = Step.of("fatal", "none", "", b -> Answer.success(""));

    private static Step step(String id) {
        return ProbeScript.step(id);
    }

    @Test
    void stepsRunInProcessesAndAnswerAsInThisOne() throws Exception {
        List<Step> steps = Stream.of("driver-version", "lost-alloc", "create-nothing", "ipc-open")
                .map(ProbeScript::step)
                .toList();
        assertThat(new Recorder(Subjects.HOST, "h200-8").run(steps))
                .extracting(Row::step, row -> row.asAnswer().toString())
                .containsExactly(
                        tuple("driver-version", "CUDA_SUCCESS 13000"),
                        tuple("lost-alloc", "CUDA_ERROR_ILLEGAL_ADDRESS"),
                        tuple("create-nothing", "CUDA_ERROR_INVALID_VALUE"),
                        tuple("ipc-open", "CUDA_SUCCESS"));
    }

    @Test
    void aStepThatBringsItsProcessDownIsRecordedAndTheNextOneGoesOn() throws Exception {
        assertThat(new Recorder(Subjects.HOST, "h200-8")
                        .run(List.of(step("driver-version"), FATAL, step("create-nothing"))))
                .extracting(Row::step, Row::answer)
                .containsExactly(
                        tuple("driver-version", "CUDA_SUCCESS"),
                        tuple("fatal", Answer.CRASHED.result()),
                        tuple("create-nothing", "CUDA_ERROR_INVALID_VALUE"));
    }

    @Test
    void aRecordingIsReadAsItWasWritten() throws Exception {
        Recording recording = Recording.load("h200-2");
        Path resource = Path.of("src", "test", "resources", "io", "tutti", "fidelity", "h200-2.json");
        assertThat(recording.toJson()).isEqualTo(Files.readString(resource));
    }
}
