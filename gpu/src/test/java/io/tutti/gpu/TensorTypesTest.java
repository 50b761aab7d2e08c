package io.tutti.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TensorTypesTest {
    @Test
    void everyTypeIsFoundByItsNames() {
        for (DType type : DType.values()) {
            assertThat(DType.parse(type.wireName())).isEqualTo(type);
            assertThat(DType.parseSafetensors(type.safetensorsName())).isEqualTo(type);
        }
        assertThat(DType.BF16.bytes()).isEqualTo(2);
        assertThat(DType.FP16.bytes()).isEqualTo(2);
        assertThat(DType.FP32.bytes()).isEqualTo(4);
    }

    @Test
    void anUnknownTypeIsAnsweredWithTheAllowedOnes() {
        assertThatThrownBy(() -> DType.parse("float32"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("float32", "bf16, fp16, fp32");
        assertThatThrownBy(() -> DType.parseSafetensors("I64"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("I64", "BF16, F16, F32");
    }

    @Test
    void everyEpilogueIsFoundByItsName() {
        for (Epilogue epilogue : Epilogue.values()) {
            assertThat(Epilogue.parse(epilogue.wireName())).isEqualTo(epilogue);
        }
        assertThat(Epilogue.RESIDUAL_RMSNORM_GEMMA.weightBias()).isEqualTo(1f);
        assertThat(Epilogue.RESIDUAL_RMSNORM.weightBias()).isEqualTo(0f);
        assertThat(Epilogue.ALL_REDUCE.hasNorm()).isFalse();
    }

    @Test
    void anUnknownEpilogueIsAnsweredWithTheAllowedOnes() {
        assertThatThrownBy(() -> Epilogue.parse("norm"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("norm", "residual-rmsnorm, residual-rmsnorm-gemma, all-reduce");
    }
}
