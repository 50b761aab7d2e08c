package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.launcher.run.FakeRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A result that nobody can read is a failure, and stderr says so. */
class BrokenStdoutTest {

    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Writer full = new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Console console = new Console(new PrintWriter(full), new PrintWriter(err), false, Map.of());
        FakeRuntime.Starter starter = new FakeRuntime.Starter(FakeRuntime.Faults.NONE);
        return new CommandLineProgram(console, starter, new Waits()).run(arguments);
    }

    @ParameterizedTest
    @CsvSource({
        "--help",
        "--version",
        "run --help",
        "run --tokens 2 --hidden 8 --iterations 1",
        "run --tokens 2 --hidden 8 --iterations 1 --json",
    })
    void isStatusOneWithAMessage(String line) {
        assertThat(run(line.split(" "))).as(err.toString()).isEqualTo(ExitStatus.FAILED);
        assertThat(err.toString()).contains("stdout could not be written");
    }

    @ParameterizedTest
    @CsvSource({"run --json --ranks 0", "run --json --no-such-option"})
    void aMistakeStaysAMistakeAndIsToldOnStderrInstead(String line) {
        assertThat(run(line.split(" "))).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(err.toString()).startsWith("tutti run: ").contains("stdout could not be written");
    }
}
