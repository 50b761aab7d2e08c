package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real tensors from a file, with the result in a file, give the same bytes in one process and in several. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RealCasesInProcessesIT {

    private static final Path CASES = Path.of("..", "launcher", "src", "test", "resources", "real");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "encoder-attn2-tp2-f32, 2",
        "encoder-ffn0-tp4-bf16, 2",
        "encoder-ffn0-tp4-bf16, 4",
        "encoder-ffn3-tp8-f16, 4"
    })
    void theOutputFileIsTheSame(String name, int processes) throws Exception {
        Path one = folder.resolve("one.safetensors");
        Path several = folder.resolve("several.safetensors");
        TuttiProgram.Outcome alone = run(name, 1, one);
        TuttiProgram.Outcome together = run(name, processes, several);
        assertThat(together.sha256()).isEqualTo(alone.sha256());
        assertThat(several).hasSameBinaryContentAs(one);
        assertThat(together.communicator().get("operations").get("maxRelativeError"))
                .isEqualTo(alone.communicator().get("operations").get("maxRelativeError"));
    }

    private TuttiProgram.Outcome run(String name, int processes, Path output) throws Exception {
        String input = CASES.resolve(name + ".safetensors").toString();
        try (TuttiProgram program = TuttiProgram.start(
                folder,
                "run",
                "--json",
                "--iterations",
                "3",
                "--processes",
                Integer.toString(processes),
                "--input",
                input,
                "--output",
                output.toString())) {
            TuttiProgram.Outcome outcome = program.await();
            program.leftBehind().assertNothing();
            return outcome;
        }
    }
}
