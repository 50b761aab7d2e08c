package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.cuda.Cuda;
import io.tutti.gpu.cuda.CudaAvailability;
import io.tutti.gpu.cuda.CudaBinding;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which driver a command takes on a machine without a GPU, and what it says about it. */
class DriverChoiceTest {

    private static final String[] SMALL = {"--tokens=3", "--hidden=64", "--iterations=2"};

    @BeforeEach
    void onlyWithoutGpu() {
        boolean usable = false;
        if (Cuda.open(CudaBinding.AUTO, KernelAbi.IMAGE) instanceof CudaAvailability.Usable found) {
            usable = true;
            found.driver().close();
        }
        Assumptions.assumeFalse(usable, "SKIPPED: this machine has a CUDA device");
    }

    @Test
    void autoTakesTheHostDriverAndSaysWhy() {
        Invocation text = run();
        assertThat(text.status()).as(text.err()).isZero();
        assertThat(text.out())
                .contains("driver host, topology local")
                .containsPattern("not cuda +the NVIDIA driver cannot be loaded: library=libcuda\\.so\\.1");
        JsonNode json = run("--json").json();
        assertThat(json.get("driver").asText()).isEqualTo("host");
    }

    @Test
    void theHostDriverNeedsNoExcuse() {
        assertThat(run("--driver=host").out()).contains("driver host").doesNotContain("not cuda");
        assertThat(run("--topology=local").out()).contains("driver host").doesNotContain("not cuda");
        assertThat(run("--inject=rank=1 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1")
                        .out())
                .doesNotContain("not cuda");
    }

    @Test
    void cudaIsRefusedBeforeAnythingStarts() {
        Invocation text = run("--driver=cuda");
        assertThat(text.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(text.err())
                .contains("the NVIDIA driver cannot be loaded", "--driver host")
                .doesNotContain("\tat ");
        assertThat(text.runtimes().started()).isEmpty();

        Invocation json = run("--driver=cuda", "--json");
        assertThat(json.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(json.json().at("/error/code").asText()).isEqualTo("system");
        assertThat(json.json().at("/error/message").asText()).contains("library=libcuda.so.1");
    }

    private static Invocation run(String... more) {
        String[] arguments = new String[1 + SMALL.length + more.length];
        arguments[0] = "run";
        System.arraycopy(SMALL, 0, arguments, 1, SMALL.length);
        System.arraycopy(more, 0, arguments, 1 + SMALL.length, more.length);
        return Invocation.of(arguments);
    }
}
