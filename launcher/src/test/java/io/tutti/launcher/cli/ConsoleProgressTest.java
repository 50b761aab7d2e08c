package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.launcher.spi.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConsoleProgressTest {

    private final StringWriter err = new StringWriter();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1));

    private ConsoleProgress progress(boolean terminal) {
        Console console = new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), terminal, Map.of());
        return new ConsoleProgress(console, clock::get);
    }

    private void pass(long millis) {
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void aShortRunShowsNothing() {
        ConsoleProgress progress = progress(false);
        for (int i = 0; i < 49; i++) {
            pass(100);
            progress.at("operations", i, 49);
        }
        progress.done();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aLongRunShowsALineEveryTwoSeconds() {
        ConsoleProgress progress = progress(false);
        for (int i = 1; i <= 80; i++) {
            pass(100);
            progress.at("operations", i, 80);
        }
        progress.done();
        assertThat(err.toString().lines()).containsExactly("operations 50 of 80", "operations 70 of 80");
    }

    @Test
    void onATerminalTheLineIsOverwrittenAndRemovedInTheEnd() {
        ConsoleProgress progress = progress(true);
        pass(5_000);
        progress.at("operations", 1, 2);
        progress.done();
        assertThat(err.toString()).isEqualTo("\r\u001b[Koperations 1 of 2\r\u001b[K");
    }
}
