package io.tutti.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenMpiAnswerTest {

    private static final PeerRequest REQUEST = new PeerRequest(8, 4096, DType.FP32, Epilogue.RESIDUAL_RMSNORM, 3, 1);

    @Test
    void theTimesOfAGoodAnswerAreRead() {
        String line = "{\"ranks\":2,\"tokens\":8,\"hidden\":4096,\"wrong\":0,\"nanos\":[3000,1000,2000]}";
        assertThat(OpenMpiAnswer.samples(line, REQUEST, 2).medianMicros()).isEqualTo(2.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[1]",
                "{\"ranks\":2,",
                "{}",
                "{\"ranks\":3,\"tokens\":8,\"hidden\":4096,\"wrong\":0,\"nanos\":[1,1,1]}",
                "{\"ranks\":2,\"tokens\":9,\"hidden\":4096,\"wrong\":0,\"nanos\":[1,1,1]}",
                "{\"ranks\":2,\"tokens\":8,\"hidden\":4095,\"wrong\":0,\"nanos\":[1,1,1]}",
                "{\"ranks\":2,\"tokens\":8,\"hidden\":4096,\"wrong\":0,\"nanos\":[1,1]}",
                "{\"ranks\":2,\"tokens\":8,\"hidden\":4096,\"wrong\":0,\"nanos\":[1,1,0]}",
                "{\"ranks\":2,\"tokens\":8,\"hidden\":4096,\"wrong\":0,\"nanos\":[1,1,\"x\"]}",
                "{\"ranks\":2,\"tokens\":8,\"hidden\":4096,\"wrong\":1,\"nanos\":[1,1,1]}",
                "{\"ranks\":2,\"tokens\":8,\"hidden\":4096,\"nanos\":[1,1,1]}"
            })
    void anyOtherAnswerIsRefused(String line) {
        assertThatThrownBy(() -> OpenMpiAnswer.samples(line, REQUEST, 2)).isInstanceOf(PeerException.class);
    }
}
