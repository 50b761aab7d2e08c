package io.tutti.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.host.fault.DriverCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every answer has a cause and a remedy, as sentences, at every call. */
class ExplanationTest {

    @ParameterizedTest
    @EnumSource(CuResult.class)
    void everyAnswerIsExplainedAtEveryCall(CuResult result) {
        for (DriverCall call : DriverCall.values()) {
            Explanation explanation = Explanation.of(call.name(), result);
            assertThat(explanation.cause()).as(call + " " + result).matches("[A-Zcl].*\\.");
            assertThat(explanation.remedy()).as(call + " " + result).matches("[A-Z].*\\.");
        }
    }

    @Test
    void anErrorsAdviceIsTheRemedyAtItsCall() {
        DriverException refused = new DriverException("cuIpcOpenMemHandle", CuResult.CUDA_ERROR_INVALID_HANDLE, "");
        assertThat(refused.info().advice())
                .isEqualTo(Explanation.of("cuIpcOpenMemHandle", CuResult.CUDA_ERROR_INVALID_HANDLE)
                        .remedy())
                .contains("fabric handles across hosts");
        assertThat(Explanation.isSpecial("cuMemCreate", CuResult.CUDA_ERROR_INVALID_HANDLE))
                .isFalse();
        assertThat(Explanation.of("cuMemCreate", CuResult.CUDA_ERROR_INVALID_HANDLE)
                        .remedy())
                .isEqualTo(CuResult.CUDA_ERROR_INVALID_HANDLE.remedy());
    }
}
