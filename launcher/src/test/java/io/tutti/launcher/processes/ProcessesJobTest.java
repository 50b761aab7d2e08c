package io.tutti.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.ConfigFactory;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRequest;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The launcher's side against rank processes that are shell scripts. */
final class ProcessesJobTest {

    private static final Duration SHORT = Duration.ofMillis(1500);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String HANG = "exec sleep 60";

    private final Waits waits = new Waits();
    private final List<String> reported = Collections.synchronizedList(new ArrayList<>());
    private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
    private ProcessesPlan.Limits limits = new ProcessesPlan.Limits(LONG, LONG, LONG, SHORT);

    private final class Node implements LauncherNode {
        @Override
        public String address() {
            return "127.0.0.1:4711";
        }

        @Override
        public void processExited(String identity, String how, String address) {
            reported.add(identity + " " + how + " " + address);
        }

        @Override
        public void close() {
            assertThat(children()).as("the processes end before the node").isEmpty();
        }
    }

    private RunResult run(Script... scripts) {
        return run(config -> new Node(), scripts);
    }

    private RunResult run(LauncherNode.Starter node, Script... scripts) {
        return job(node, scripts).run(plan(scripts), ConfigFactory.empty());
    }

    private List<String> ask(String question, Duration limit, Script... scripts) {
        return job(config -> new Node(), scripts)
                .converse(plan(scripts), ConfigFactory.empty(), group -> group.ask(question, limit));
    }

    private ProcessesJob job(LauncherNode.Starter node, Script... scripts) {
        return new ProcessesJob(process -> scripts[process].command(), node, waits, Progress.SILENT, logged::add);
    }

    private ProcessesPlan plan(Script... scripts) {
        RunRequest request = new RunRequest(
                List.of("tp0"),
                new Operation(Epilogue.RESIDUAL_RMSNORM, 1e-6f, 1),
                ranks -> {
                    throw new AssertionError("the launcher loads no tensors");
                },
                Optional.empty(),
                new RunRequest.Limits(LONG, LONG));
        return ProcessesPlan.of(request, Map.of("tp0", 2 * scripts.length), scripts.length, limits);
    }

    private TuttiException failure(Script... scripts) {
        return catchThrowableOfType(TuttiException.class, () -> run(scripts));
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(children()).isEmpty();
    }

    @Test
    void processesThatAgreeMakeOneResult() {
        RunResult result =
                run(Script.started("1-a").check("ab"), Script.started("2-b").check("ab"));
        assertThat(result.communicators()).containsExactly(Results.of("ab", 0, 1));
        assertThat(reported).isEmpty();
    }

    @Test
    void everyProcessIsAskedTheSameAndEndsWhenItIsDismissed() {
        String echo = "printf '%s\\n' \"$line\" >&2";
        List<String> answers = ask(
                "how many",
                LONG,
                Script.started("1-a")
                        .hear()
                        .shell(echo)
                        .say(new ProcessMessage.Answered("3"))
                        .hear(),
                Script.started("2-b")
                        .hear()
                        .shell(echo)
                        .say(new ProcessMessage.Answered("4"))
                        .hear());
        assertThat(answers).containsExactly("3", "4");
        assertThat(logged)
                .containsExactlyInAnyOrder(
                        "[process 0] {\"tutti\":\"asked\",\"question\":\"how many\"}",
                        "[process 1] {\"tutti\":\"asked\",\"question\":\"how many\"}");
        assertThat(reported).isEmpty();
    }

    @Test
    void aProcessThatDoesNotAnswerInTimeIsNamed() {
        TuttiException failure = catchThrowableOfType(
                TuttiException.class,
                () -> ask(
                        "how many",
                        Duration.ofMillis(200),
                        Script.started("1-a")
                                .hear()
                                .say(new ProcessMessage.Answered("3"))
                                .shell(HANG),
                        Script.started("2-b").hear().shell(HANG)));
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(failure.getMessage()).contains("rank process 1").contains("how many");
    }

    @Test
    void aProcessThatDiesInsteadOfAnsweringIsNamed() {
        TuttiException failure = catchThrowableOfType(
                TuttiException.class,
                () -> ask(
                        "how many",
                        LONG,
                        Script.started("1-a").hear().shell("kill -9 $$"),
                        Script.started("2-b")
                                .hear()
                                .say(new ProcessMessage.Answered("4"))
                                .shell(HANG)));
        assertThat(failure.code()).isEqualTo(ErrorCode.REMOTE);
        assertThat(failure.getMessage()).contains("rank process 0").contains("SIGKILL");
        // The other is ended with the job, and may be reported too.
        assertThat(reported).startsWith("1-a killed by SIGKILL 127.0.0.1:1");
    }

    @Test
    void eachProcessHearsItsShareAndTheSeed() {
        String echo = "printf '%s\\n' \"$line\" >&2";
        run(
                Script.started("1-a").shell(echo).check("ab"),
                Script.started("2-b").shell(echo).check("ab"));
        assertThat(logged)
                .containsExactlyInAnyOrder(
                        "[process 0] {\"tutti\":\"job\",\"version\":2,\"process\":0,\"seed\":\"127.0.0.1:4711\","
                                + "\"worldSizes\":{\"tp0\":4},\"ranks\":{\"tp0\":[0,1]}}",
                        "[process 1] {\"tutti\":\"job\",\"version\":2,\"process\":1,\"seed\":\"127.0.0.1:4711\","
                                + "\"worldSizes\":{\"tp0\":4},\"ranks\":{\"tp0\":[2,3]}}");
    }

    @Test
    void aKilledProcessIsNamedWithItsRanksAndReportedToTheCluster() {
        TuttiException failure = failure(
                Script.started("1-a").fail(ErrorInfo.of(ErrorCode.ABORTED, "rank 2 is gone", "")),
                Script.started("2-b")
                        .say(new ProcessMessage.Progressed("tp0: operations", 3, 9))
                        .shell("echo the last words >&2")
                        .shell("kill -9 $$"));
        assertThat(failure.code()).isEqualTo(ErrorCode.REMOTE);
        assertThat(failure.info().rank()).isEqualTo(2);
        assertThat(failure.info().message())
                .contains("rank process 1 ended unexpectedly: killed by SIGKILL", "tp0: operations 3 of 9")
                .contains("ranks=[2, 3]", "othersFreeAfterMillis=");
        assertThat(reported).contains("2-b killed by SIGKILL 127.0.0.1:1");
        assertThat(failure.getSuppressed())
                .anyMatch(other -> String.valueOf(other).contains("rank 2 is gone"));
    }

    @Test
    void theOthersAreToldOfAProcessThatIsOver() {
        TuttiException failure = failure(
                Script.started("1-a")
                        .hear()
                        .shell("printf '%s\\n' \"$line\" >&2")
                        .fail(ErrorInfo.of(ErrorCode.ABORTED, "the run was stopped", "")),
                Script.started("2-b").shell("kill -9 $$"));
        assertThat(failure.info().message()).contains("rank process 1", "killed by SIGKILL", "othersFreeAfterMillis=");
        assertThat(logged)
                .containsExactly(
                        "[process 0] {\"tutti\":\"peerOver\",\"how\":\"rank process 1, which hosts ranks [2, 3],"
                                + " ended: killed by SIGKILL\"}");
    }

    @Test
    void othersThatStayBusyAreNamedAndKilled() {
        limits = new ProcessesPlan.Limits(LONG, LONG, LONG, Duration.ofMillis(100));
        TuttiException failure =
                failure(Script.started("1-a").shell(HANG), Script.started("2-b").shell("kill -9 $$"));
        assertThat(failure.info().message()).contains("rank process 1", "othersStillBusy=[0]");
    }

    @Test
    void aProcessThatEndsBeforeItIsUpIsNamedWithItsLastLog() {
        TuttiException failure = failure(Script.started("1-a").hear(), Script.of("echo no memory >&2; exit 7"));
        assertThat(failure.info().message())
                .contains("rank process 1 ended before it was up: exit status 7", "no memory");
    }

    @Test
    void aProcessThatDoesNotComeUpIsNamedAtTheDeadline() {
        limits = new ProcessesPlan.Limits(SHORT, LONG, LONG, Duration.ofMillis(100));
        TuttiException failure = failure(
                Script.started("1-a").hear(), Script.of("echo still busy >&2").shell(HANG));
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(failure.info().message())
                .contains("rank process 1 has not come up: waited=PT1.5S", "ranks=[2, 3]", "still busy");
    }

    @Test
    void aProcessThatFallsSilentIsNamedAtTheDeadline() {
        limits = new ProcessesPlan.Limits(LONG, SHORT, LONG, Duration.ofMillis(100));
        TuttiException failure =
                failure(Script.started("1-a").check("ab"), Script.started("2-b").shell(HANG));
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(failure.info().message()).contains("rank process 1 has said nothing", "forming");
    }

    @Test
    void theFailureThatExplainsTheOthersIsReported() {
        ErrorInfo cause = new ErrorInfo(ErrorCode.DRIVER, 3, "cuMemCreate", "CUDA_ERROR_OUT_OF_MEMORY", "full", "");
        TuttiException failure = failure(
                Script.started("1-a").fail(ErrorInfo.of(ErrorCode.ABORTED, "another rank failed", "")),
                Script.started("2-b").fail(cause));
        assertThat(failure.info()).isEqualTo(cause);
    }

    @Test
    void differentBitsAreNeverReportedAsRight() {
        TuttiException failure =
                failure(Script.started("1-a").check("ab"), Script.started("2-b").check("cd"));
        assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void aResultIsNoResultWhenAProcessFailsAfterAllAgreed() {
        TuttiException failure = failure(
                Script.started("1-a").check("ab"),
                Script.started("2-b").check("ab").fail(ErrorInfo.of(ErrorCode.SYSTEM, "the disk is full", "")));
        assertThat(failure.info().message()).isEqualTo("the disk is full");
    }

    @Test
    void noiseOnStdoutIsLogged() {
        run(Script.started("1-a").shell("echo '# noise'").check("ab"));
        assertThat(logged).containsExactly("[process 0] # noise");
    }

    @Test
    void stoppingEndsEverythingInTime() throws InterruptedException {
        CountDownLatch up = new CountDownLatch(1);
        Thread stopper = new Thread(() -> {
            try {
                assertThat(up.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            waits.stop("by a test");
        });
        stopper.start();
        TuttiException failure = catchThrowableOfType(
                TuttiException.class,
                () -> run(
                        config -> {
                            up.countDown();
                            return new Node();
                        },
                        Script.started("1-a").hear(),
                        Script.started("2-b").shell("trap '' TERM").shell(HANG)));
        stopper.join(20_000);
        assertThat(failure.code()).isEqualTo(ErrorCode.ABORTED);
    }

    @Test
    void processesEndWhenTheClusterCannotBeJoined() {
        TuttiException failure = catchThrowableOfType(
                TuttiException.class,
                () -> run(
                        config -> {
                            throw new TuttiException(ErrorInfo.of(ErrorCode.CONFIGURATION, "no port", ""));
                        },
                        Script.started("1-a").hear()));
        assertThat(failure.info().message()).isEqualTo("no port");
    }
}
