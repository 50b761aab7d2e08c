package io.tutti.gpu.host.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultRuleTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rank=2 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1",
                "call=cuIpcOpenMemHandle result=CUDA_ERROR_INVALID_HANDLE",
                "rank=0 call=cuLaunchKernelEx result=CUDA_ERROR_LAUNCH_FAILED",
                "call=cuMulticastGetGranularity result=CUDA_ERROR_SYSTEM_NOT_READY times=3"
            })
    void theTextFormReadsBackAsItself(String text) {
        assertThat(FaultPlan.parse(List.of(text)).rules()).singleElement().hasToString(text);
    }

    @Test
    void theOrderOfTheKeysAndTheBlanksDoNotMatter() {
        assertThat(FaultPlan.parse(List.of("  times=1   result=CUDA_ERROR_NOT_PERMITTED\tcall=cuMemCreate "))
                        .rules())
                .singleElement()
                .hasToString("call=cuMemCreate result=CUDA_ERROR_NOT_PERMITTED times=1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "call=cuMemCrate result=CUDA_ERROR_UNKNOWN | cuMemCreate",
                "call=cuMemCreate result=OOM | CUDA_ERROR_OUT_OF_MEMORY",
                "call=cuMemCreate result=CUDA_SUCCESS | CUDA_ERROR_OUT_OF_MEMORY",
                "call=cuMemCreate | result",
                "result=CUDA_ERROR_UNKNOWN | call",
                "call=cuMemCreate result=CUDA_ERROR_UNKNOWN rnak=1 | [rank, call, result, times]",
                "call=cuMemCreate result=CUDA_ERROR_UNKNOWN rank=-1 | 0 or more",
                "call=cuMemCreate result=CUDA_ERROR_UNKNOWN rank=two | 0 or more",
                "call=cuMemCreate result=CUDA_ERROR_UNKNOWN times=0 | 1 or more",
                "call=cuMemCreate call=cuMemMap result=CUDA_ERROR_UNKNOWN | twice",
                "out of memory please | [rank, call, result, times]",
                "'' | [rank, call, result, times]"
            })
    void aMistakeIsAUsageErrorThatNamesWhatIsAllowed(String text, String named) {
        assertThatThrownBy(() -> FaultPlan.parse(List.of(text))).isInstanceOfSatisfying(TuttiException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.USAGE);
            assertThat(e.getMessage()).contains(named);
            assertThat(e.info().advice()).contains("call=cuMemCreate");
        });
    }

    @Test
    void aRuleWithoutARankCountsItsTimesForEachRank() {
        FaultPlan plan = FaultPlan.parse(List.of("call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=2"));
        for (int rank = 0; rank < 2; rank++) {
            assertThat(plan.consult(DriverCall.cuMemCreate, rank)).isNotNull();
            assertThat(plan.consult(DriverCall.cuMemCreate, rank)).isNotNull();
            assertThat(plan.consult(DriverCall.cuMemCreate, rank)).isNull();
        }
        assertThat(plan.consult(DriverCall.cuMemMap, 0)).isNull();
    }

    @Test
    void theFirstRuleWithUsesLeftAnswers() {
        FaultPlan plan = FaultPlan.parse(List.of(
                "rank=1 call=cuMemCreate result=CUDA_ERROR_SYSTEM_NOT_READY times=1",
                "call=cuMemCreate result=CUDA_ERROR_NOT_PERMITTED"));
        assertThat(plan.consult(DriverCall.cuMemCreate, 0))
                .extracting(FaultRule::result)
                .isEqualTo(CuResult.CUDA_ERROR_NOT_PERMITTED);
        assertThat(plan.consult(DriverCall.cuMemCreate, 1))
                .extracting(FaultRule::result)
                .isEqualTo(CuResult.CUDA_ERROR_SYSTEM_NOT_READY);
        assertThat(plan.consult(DriverCall.cuMemCreate, 1))
                .extracting(FaultRule::result)
                .isEqualTo(CuResult.CUDA_ERROR_NOT_PERMITTED);
    }
}
