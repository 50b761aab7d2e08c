package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code explain}: answers by name or number, at a call or anywhere. */
class ExplainCommandTest {

    @ParameterizedTest
    @CsvSource({"400", "INVALID_HANDLE", "CUDA_ERROR_INVALID_HANDLE", "invalid_handle"})
    void anAnswerIsKnownByNumberAndByName(String result) {
        Invocation run = Invocation.of("explain", "--json", "cuIpcOpenMemHandle", result);
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode json = run.json();
        assertThat(json.get("call").asText()).isEqualTo("cuIpcOpenMemHandle");
        assertThat(json.get("result").asText()).isEqualTo("CUDA_ERROR_INVALID_HANDLE");
        assertThat(json.get("code").asInt()).isEqualTo(400);
        assertThat(json.get("cause").asText()).contains("another host");
        assertThat(json.get("advice").asText()).contains("fabric handles across hosts");
    }

    @Test
    void theCallMayBeLeftOut() {
        Invocation run = Invocation.of("explain", "802");
        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("CUDA_ERROR_SYSTEM_NOT_READY (802)").contains("what to do");
    }

    @ParameterizedTest
    @CsvSource({
        "explain cuMemCreat 2, Did you mean cuMemCreate?",
        "explain cuMemCreate CUDA_ERROR_OUT_OF_MEMORI, Did you mean CUDA_ERROR_OUT_OF_MEMORY?",
        "explain cuMemCreate 12345, NVIDIA's list",
        "explain cuMemCreate 2 3, explain",
        "explain, explain"
    })
    void whatIsNotKnownIsStatusTwo(String line, String words) {
        Invocation run = Invocation.of(line.split(" "));
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(run.err()).contains(words);
    }
}
