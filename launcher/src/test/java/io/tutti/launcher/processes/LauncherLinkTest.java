package io.tutti.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Waits;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LauncherLinkTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Waits waits = new Waits();
    private final CountDownLatch halted = new CountDownLatch(1);

    private LauncherLink open(PipedOutputStream launcher) throws IOException {
        return LauncherLink.open(
                new PipedInputStream(launcher), new PrintWriter(new StringWriter()), waits, halted::countDown);
    }

    private TuttiException interruptedWait() {
        return catchThrowableOfType(
                TuttiException.class, () -> waits.await(new CompletableFuture<>(), LIMIT, "an epoch that never comes"));
    }

    @Test
    void nothingIsAwaitedAnyMoreOnceAnotherProcessIsOver() throws IOException {
        try (PipedOutputStream launcher = new PipedOutputStream();
                LauncherLink link = open(launcher)) {
            String line =
                    ProcessMessages.encode(new ProcessMessage.PeerOver("rank process 1 ended: killed by SIGKILL"));
            launcher.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            launcher.flush();
            TuttiException failure = interruptedWait();
            assertThat(failure.code()).isEqualTo(ErrorCode.ABORTED);
            assertThat(failure.info().message()).contains("rank process 1 ended: killed by SIGKILL");
        }
    }

    @Test
    void theEndOfTheLauncherEndsEveryWaitAndThenTheProcess() throws IOException, InterruptedException {
        PipedOutputStream launcher = new PipedOutputStream();
        LauncherLink link = open(launcher);
        launcher.close();
        assertThat(interruptedWait().info().message()).contains("the launcher has gone");
        assertThat(halted.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        link.close();
    }
}
