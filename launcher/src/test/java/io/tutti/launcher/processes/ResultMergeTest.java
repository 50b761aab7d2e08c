package io.tutti.launcher.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.RunResult;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class ResultMergeTest {

    @Test
    void theLargestErrorAndTheSlowestMedianStandForAll() {
        RunResult.CommunicatorResult merged = ResultMerge.of(
                List.of(Results.of("ab", 0.001, 9), Results.of("ab", 0.003, 5), Results.of("ab", 0.002, 7)));
        assertThat(merged).isEqualTo(Results.of("ab", 0.003, 9));
    }

    @Test
    void anErrorThatIsNoNumberIsNotHidden() {
        assertThat(ResultMerge.of(List.of(Results.of("ab", Double.NaN, 1), Results.of("ab", 1, 1)))
                        .operations()
                        .maxRelativeError())
                .isNaN();
    }

    @Test
    void processesThatDisagreeOnTheBitsAreAnError() {
        assertThatThrownBy(() -> ResultMerge.of(List.of(Results.of("ab", 0, 1), Results.of("cd", 0, 1))))
                .hasMessageContaining("outputSha256ByProcess=[ab, cd]")
                .asInstanceOf(InstanceOfAssertFactories.type(TuttiException.class))
                .extracting(TuttiException::code)
                .isEqualTo(ErrorCode.INTERNAL);
    }
}
