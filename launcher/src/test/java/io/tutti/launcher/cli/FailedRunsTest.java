package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.run.FakeRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A run that fails is status 1, tells who failed at what, writes no output, and closes what it started. */
class FailedRunsTest {

    @TempDir
    Path folder;

    private static Invocation run(FakeRuntime.Faults faults, String... more) {
        String[] arguments = new String[more.length + 8];
        System.arraycopy(
                new String[] {"run", "--json", "--tokens", "3", "--hidden", "64", "--iterations", "4"},
                0,
                arguments,
                0,
                8);
        System.arraycopy(more, 0, arguments, 8, more.length);
        return Invocation.with(faults, arguments);
    }

    private static JsonNode error(Invocation run) {
        assertThat(run.status()).as(run.out()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.runtimes().started())
                .singleElement()
                .satisfies(runtime -> assertThat(runtime.isClosed()).isTrue());
        return run.json().get("error");
    }

    @Test
    void oneWrongElementIsFoundAndNamed() {
        FakeRuntime.Faults faults = FakeRuntime.Faults.flipBit(4, 2, 3, 2 * 64 + 5);
        Path output = folder.resolve("out.safetensors");
        JsonNode error = error(run(faults, "--output", output.toString()));
        assertThat(error.get("code").asText()).isEqualTo("internal");
        assertThat(error.get("rank").asInt()).isEqualTo(2);
        assertThat(error.get("message").asText())
                .contains("rank=2 tensor=residual_out token=2 index=5 expectedBits=0x", "foundBits=0x")
                .contains("wrongElements=1 ofElements=" + 4 * 2 * 3 * 64);
        assertThat(Files.exists(output)).isFalse();
    }

    @Test
    void anElementThatIsNeverWrittenIsFound() {
        JsonNode error = error(run(FakeRuntime.Faults.unwritten(4, 1, 4, 0)));
        assertThat(error.get("message").asText())
                .contains("rank=1 tensor=norm_out token=0 index=0", "foundBits=0xffff");
    }

    @Test
    void aFailedOperationTellsTheRankThatFailedRatherThanThoseThatWereAborted() {
        JsonNode error = error(run(new FakeRuntime.Faults() {
            @Override
            public CompletionStage<Void> outcome(int operation, int rank) {
                if (operation < 2) {
                    return CompletableFuture.completedStage(null);
                }
                return CompletableFuture.failedStage(new TuttiException(new ErrorInfo(
                        rank == 3 ? ErrorCode.MISMATCH : ErrorCode.ABORTED, null, "kernel", null, "told", "do")));
            }
        }));
        assertThat(error.get("code").asText()).isEqualTo("mismatch");
        assertThat(error.get("rank").asInt()).isEqualTo(3);
        assertThat(error.get("call").asText()).isEqualTo("kernel");
    }

    @Test
    void aCommunicatorThatCannotFormTellsWhy() {
        JsonNode error = error(run(new FakeRuntime.Faults() {
            @Override
            public CompletionStage<Void> forming() {
                return CompletableFuture.failedStage(new TuttiException(new ErrorInfo(
                        ErrorCode.PREFLIGHT,
                        1,
                        "cuMemCreate",
                        "CUDA_ERROR_OUT_OF_MEMORY",
                        "no path works",
                        "free memory")));
            }
        }));
        assertThat(error.get("code").asText()).isEqualTo("preflight");
        assertThat(error.get("rank").asInt()).isEqualTo(1);
        assertThat(error.get("call").asText()).isEqualTo("cuMemCreate");
        assertThat(error.get("result").asText()).isEqualTo("CUDA_ERROR_OUT_OF_MEMORY");
        assertThat(error.get("advice").asText()).isEqualTo("free memory");
    }

    @Test
    void somethingUnexpectedIsStillOneJsonObject() {
        JsonNode error = error(run(new FakeRuntime.Faults() {
            @Override
            public CompletionStage<Void> forming() {
                throw new IllegalStateException("a defect");
            }
        }));
        assertThat(error.get("code").asText()).isEqualTo("internal");
        assertThat(error.get("message").asText()).contains("a defect");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "several processes need Linux")
    void whateverFailsOnceTheProcessWasAskedToEndOnlyFollowsFromThat() {
        Waits waits = new Waits();
        StringWriter out = new StringWriter();
        Console console = new Console(new PrintWriter(out), new PrintWriter(new StringWriter()), false, Map.of());
        RankProcessSupport support = new RankProcessSupport(
                () -> {
                    waits.stop("a test");
                    throw new IllegalStateException("Shutdown in progress");
                },
                config -> {
                    throw new AssertionError("nothing is to be started");
                },
                InputStream.nullInputStream(),
                () -> {});
        int status = new CommandLineProgram(console, new FakeRuntime.Starter(FakeRuntime.Faults.NONE), waits, support)
                .run("run", "--json", "--processes", "2");
        assertThat(status).isEqualTo(ExitStatus.FAILED);
        assertThat(out.toString()).contains("\"code\":\"aborted\"", "stopped: a test");
    }

    @Test
    void aLinkageErrorIsReportedToo() {
        JsonNode error = error(run(new FakeRuntime.Faults() {
            @Override
            public CompletionStage<Void> forming() {
                throw new NoClassDefFoundError("io/tutti/Missing");
            }
        }));
        assertThat(error.get("code").asText()).isEqualTo("internal");
        assertThat(error.get("message").asText()).contains("io/tutti/Missing");
    }
}
