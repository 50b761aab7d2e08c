package io.tutti.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.host.fault.DriverCall;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExplanationTest {

    /** Answers that the driver gives to a process as a whole, when it starts; no later call has them as its own. */
    private static final Set<CuResult> OF_THE_PROCESS = Set.of(
            CuResult.CUDA_ERROR_STUB_LIBRARY,
            CuResult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
            CuResult.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);

    @ParameterizedTest
    @EnumSource(CuResult.class)
    void everyAnswerIsExplainedAtEveryCall(CuResult result) {
        for (DriverCall call : DriverCall.values()) {
            Explanation explanation = Explanation.of(call.name(), result);
            assertThat(explanation.cause()).as(call + " " + result).matches("[A-Zcl].*\\.");
            assertThat(explanation.remedy()).as(call + " " + result).matches("[A-Z].*\\.");
        }
    }

    @ParameterizedTest
    @EnumSource(DriverCall.class)
    void everyCallOfTheInterfaceHasATableOfWhatItCanAnswer(DriverCall call) {
        assertThat(CallAnswers.of(call.name())).hasSizeGreaterThanOrEqualTo(3);
    }

    static Stream<String> calls() {
        return CallAnswers.table().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void whatACallCanAnswerHasWordsOfItsOwnThere(String call) {
        CallAnswers.of(call).forEach((result, explanation) -> {
            assertThat(result).isNotEqualTo(CuResult.CUDA_SUCCESS);
            assertThat(explanation.cause())
                    .as(call + " " + result)
                    .isNotEqualTo(result.cause())
                    .matches("[A-Zcl].*\\.");
            assertThat(explanation.remedy()).as(call + " " + result).matches("[A-Z].*\\.");
        });
    }

    /** The same words at two calls would be words of the answer, not of the call. */
    @Test
    void noTwoCallsShareTheCauseOfAnAnswerUnlessItIsTheSameShortage() {
        Map<String, String> places = new HashMap<>();
        CallAnswers.table()
                .forEach((call, answers) -> answers.forEach((result, explanation) -> {
                    boolean shared = explanation.cause().contains("multicast slots, which everybody")
                            || explanation.cause().contains("fabric manager, which sets the switches up");
                    String before = places.put(result + explanation.cause(), call);
                    boolean oneCall = before != null && CallAnswers.of(before).equals(answers);
                    assertThat(before == null || shared || oneCall)
                            .as("%s at %s and %s: %s", result, before, call, explanation.cause())
                            .isTrue();
                }));
    }

    @Test
    void everyAnswerThatIsKnownIsSomeCallsOwn() {
        Set<CuResult> without = Set.of(CuResult.CUDA_SUCCESS, CuResult.CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
        assertThat(Arrays.stream(CuResult.values())
                        .filter(result -> !without.contains(result))
                        .filter(result -> calls().noneMatch(call -> Explanation.isSpecial(call, result))))
                .isEmpty();
        OF_THE_PROCESS.forEach(
                result -> assertThat(Explanation.isSpecial("cuInit", result)).isTrue());
    }

    /** What operators have met, with a word that only somebody who knows the case would say. */
    @ParameterizedTest
    @CsvSource({
        "cuMemCreate, CUDA_ERROR_NOT_PERMITTED, IMEX channel",
        "cuMemCreate, CUDA_ERROR_OUT_OF_MEMORY, tutti.workspace.size",
        "cuMemImportFromShareableHandle, CUDA_ERROR_UNKNOWN, exporter alive",
        "cuMemImportFromShareableHandle, CUDA_ERROR_NOT_SUPPORTED, same driver version",
        "cuMemImportFromShareableHandle, CUDA_ERROR_SYSTEM_NOT_READY, nvidia-imex-ctl",
        "cuIpcOpenMemHandle, CUDA_ERROR_INVALID_HANDLE, fabric handles across hosts",
        "cuIpcOpenMemHandle, CUDA_ERROR_INVALID_CONTEXT, in-process handles",
        "cuIpcOpenMemHandle, CUDA_ERROR_INVALID_DEVICE, visible to each of its processes",
        "cuMulticastGetGranularity, CUDA_ERROR_NOT_SUPPORTED, path without multicast",
        "cuMulticastGetGranularity, CUDA_ERROR_ILLEGAL_STATE, nvidia-fabricmanager",
        "cuMulticastBindMem, CUDA_ERROR_INVALID_VALUE, Restart nvidia-fabricmanager",
        "cuMulticastBindMem, CUDA_ERROR_OUT_OF_MEMORY, NCCL with NVLS",
        "cuModuleLoadData, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, Update the driver",
        "cuModuleLoadData, CUDA_ERROR_NO_BINARY_FOR_GPU, compute capability 8.0",
        "cuInit, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, Reboot",
        "cuInit, CUDA_ERROR_SYSTEM_NOT_READY, nvidia-fabricmanager",
        "cuStreamSynchronize, CUDA_ERROR_ILLEGAL_ADDRESS, replace the process",
        "cuMemSetAccess, CUDA_ERROR_INVALID_DEVICE, topo -p2p",
        "cuCtxEnablePeerAccess, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, peers"
    })
    void whatOperatorsMeetHasARemedyForThatCase(String call, CuResult result, String words) {
        assertThat(Explanation.of(call, result).remedy()).contains(words);
    }

    @Test
    void whatAKernelDidBeforeIsNotBlamedOnTheCallThatReportsIt() {
        assertThat(Explanation.of("cuMemFree", CuResult.CUDA_ERROR_ILLEGAL_ADDRESS)
                        .cause())
                .startsWith("Nothing is wrong with this call")
                .contains("free plain device memory")
                .contains("nothing is mapped");
    }

    @Test
    void anErrorsAdviceIsTheRemedyAtItsCall() {
        DriverException refused = new DriverException("cuIpcOpenMemHandle", CuResult.CUDA_ERROR_INVALID_HANDLE, "");
        assertThat(refused.info().advice())
                .isEqualTo(Explanation.of("cuIpcOpenMemHandle", CuResult.CUDA_ERROR_INVALID_HANDLE)
                        .remedy());
        assertThat(Explanation.isSpecial("cuMemCreate", CuResult.CUDA_ERROR_INVALID_HANDLE))
                .isFalse();
        assertThat(Explanation.of("cuMemCreate", CuResult.CUDA_ERROR_INVALID_HANDLE)
                        .remedy())
                .isEqualTo(CuResult.CUDA_ERROR_INVALID_HANDLE.remedy());
    }
}
