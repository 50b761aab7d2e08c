package io.tutti.gpu.numerics.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Float64ReferenceTest {
    private static final int TOKENS = 8;
    private static final int HIDDEN = 384;

    @ParameterizedTest
    @EnumSource(DType.class)
    void theCanonicalOrderStaysWithinTheTypesAccuracy(DType type) {
        double limit = switch (type) {
            case BF16 -> 4e-3;
            case FP16 -> 5e-4;
            case FP32 -> 2e-6;
        };
        for (Epilogue epilogue : Epilogue.values()) {
            for (int world : new int[] {1, 4, 72}) {
                ErrorTotals totals = errors(type, epilogue, world, Payload.ORDINARY);
                assertThat(totals.largest()).as("%s world=%d", epilogue, world).isLessThan(limit);
                assertThat(totals.sum().relative()).isGreaterThanOrEqualTo(0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void zerosHaveNoError(DType type) {
        assertThat(errors(type, Epilogue.RESIDUAL_RMSNORM, 3, Payload.ZEROS).largest())
                .isZero();
    }

    @Test
    void theNormIsThatOfTheRoundedResidual() {
        // 1 + 2^-9 rounds to 1 in bf16: the norm sees eight equal values, not seven ones and something larger.
        ByteBuffer partial = tensor(0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x3f80);
        ByteBuffer residual = tensor(0x3b00, 0, 0, 0, 0, 0, 0, 0);
        double[] sum = new double[8];
        double[] residualOut = new double[8];
        double[] norm = new double[8];
        new Float64Reference(DType.BF16, Epilogue.RESIDUAL_RMSNORM, 8, 0f)
                .computeRow(0, new ReferenceInputs(List.of(partial), residual, partial), sum, residualOut, norm);
        assertThat(residualOut[0]).isEqualTo(1 + 0x1p-9);
        assertThat(norm).containsOnly(1);
    }

    @Test
    void aSumBeyondTheTypesRangeIsExpectedToBeInfinite() {
        ByteBuffer large = Payload.allocate(DType.FP16, 8);
        for (int i = 0; i < 8; i++) {
            Payload.put(large, DType.FP16, 0x7bff);
        }
        large.flip();
        ReferenceInputs inputs = new ReferenceInputs(List.of(large, large), null, null);
        ReferenceOutputs outputs = new ReferenceOutputs(Payload.allocate(DType.FP16, 8), null, null);
        new ScalarReference(DType.FP16, Epilogue.ALL_REDUCE, 8, 0f).compute(1, inputs, outputs);
        ErrorTotals totals = new ErrorTotals();
        new Float64Reference(DType.FP16, Epilogue.ALL_REDUCE, 8, 0f).measure(1, inputs, outputs, totals);
        assertThat(totals.largest()).isZero();
    }

    private static ErrorTotals errors(DType type, Epilogue epilogue, int world, Payload payload) {
        SplittableRandom random = new SplittableRandom(world);
        List<ByteBuffer> partials = Stream.generate(() -> payload.tensor(type, TOKENS * HIDDEN, random))
                .limit(world)
                .toList();
        ReferenceInputs inputs = new ReferenceInputs(
                partials, payload.tensor(type, TOKENS * HIDDEN, random), Payload.ORDINARY.tensor(type, HIDDEN, random));
        ReferenceOutputs outputs = new ReferenceOutputs(
                Payload.allocate(type, TOKENS * HIDDEN),
                epilogue.hasNorm() ? Payload.allocate(type, TOKENS * HIDDEN) : null,
                epilogue.hasNorm() ? Payload.allocate(type, TOKENS * HIDDEN) : null);
        new ScalarReference(type, epilogue, HIDDEN, 1e-6f).compute(TOKENS, inputs, outputs);
        ErrorTotals totals = new ErrorTotals();
        new Float64Reference(type, epilogue, HIDDEN, 1e-6f).measure(TOKENS, inputs, outputs, totals);
        return totals;
    }

    private static ByteBuffer tensor(int... elements) {
        ByteBuffer tensor = Payload.allocate(DType.BF16, elements.length);
        for (int element : elements) {
            Payload.put(tensor, DType.BF16, element);
        }
        return tensor.flip();
    }
}
