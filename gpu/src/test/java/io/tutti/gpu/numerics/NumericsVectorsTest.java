package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NumericsVectorsTest {
    @ParameterizedTest
    @EnumSource(DType.class)
    void everyConversionIsTheCommittedOne(DType type) {
        for (int[] pair : VectorFile.read(type).conversions()) {
            assertThat(TensorBits.round(type, Float.intBitsToFloat(pair[0])))
                    .as("round %08x", pair[0])
                    .isEqualTo(pair[1]);
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void bothImplementationsGiveTheCommittedOutputs(DType type) {
        VectorFile file = VectorFile.read(type);
        assertThat(file.cases()).hasSizeGreaterThan(20);
        for (VectorCase vector : file.cases()) {
            String expected = vector.text();
            assertThat(new VectorCase(
                                    vector.name(),
                                    vector.fused(),
                                    vector.fused().byRows())
                            .text())
                    .isEqualTo(expected);
            assertThat(new VectorCase(
                                    vector.name(),
                                    vector.fused(),
                                    vector.fused().byReference())
                            .text())
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void theCommittedFileIsWhatTheGeneratorWrites(DType type) {
        assertThat(VectorFile.generate(type).text()).isEqualTo(VectorFile.text(type));
    }
}
