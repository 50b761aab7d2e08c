package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.numerics.reference.ReferenceOutputs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalRowTest {
    private static final int[] WORLDS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 72};

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 24, 384, 2880, 4096, 7168, 8192, 16384, 65536})
    void everyBitEqualsTheScalarReference(int hidden) {
        for (DType type : DType.values()) {
            for (int world : WORLDS) {
                int repeats = hidden < 1000 ? Payload.values().length : 2;
                for (int repeat = 0; repeat < repeats; repeat++) {
                    long seed = hidden * 31L + world * 7L + type.ordinal() + repeat;
                    FusedCase inputs = FusedCase.random(type, world, hidden < 8192 ? 2 : 1, hidden, seed);
                    for (Epilogue epilogue : Epilogue.values()) {
                        FusedCase fused = inputs.with(epilogue);
                        assertSameBits(fused.byRows(), fused.byReference(), describe(fused, world, seed));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void aRowDoesNotDependOnItsPlaceInTheBatch(DType type) {
        for (long seed = 0; seed < 12; seed++) {
            FusedCase batch = FusedCase.random(type, 3, 16, 264, seed);
            ReferenceOutputs together = batch.byRows();
            for (int token = batch.tokens() - 1; token >= 0; token--) {
                ReferenceOutputs alone = batch.allocate();
                CanonicalRow row = new CanonicalRow(type, CanonicalRow.MAX_HIDDEN);
                row.weights(batch.words(batch.inputs().gamma(), 0), 0, batch.hidden(), 0f);
                batch.computeRow(row, token, alone);
                for (int i = 0; i < 3; i++) {
                    assertThat(batch.words(tensors(alone).get(i), token))
                            .as("seed=%d token=%d output=%d", seed, token, i)
                            .isEqualTo(batch.words(tensors(together).get(i), token));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void shardsOfARowSumToTheSameBitsAsTheRow(DType type) {
        int hidden = 384;
        int shard = 48;
        for (long seed = 0; seed < 12; seed++) {
            FusedCase fused = FusedCase.random(type, 4, 1, hidden, seed).with(Epilogue.ALL_REDUCE);
            CanonicalRow row = new CanonicalRow(type, hidden);
            int words = fused.rowBytes() / 4;
            int[] out = new int[words];
            for (int first = 0; first < hidden; first += shard) {
                int offset = first * type.bytes() / 4;
                row.start(shard);
                for (ByteBuffer partial : fused.inputs().partials()) {
                    row.add(fused.words(partial, 0), offset);
                }
                row.round(out, offset);
            }
            assertThat(out)
                    .as("seed=%d", seed)
                    .isEqualTo(fused.words(fused.byReference().sum(), 0));
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void noOutputEverHoldsTheSentinel(DType type) {
        for (long seed = 0; seed < 60; seed++) {
            FusedCase fused = FusedCase.random(type, 2, 4, 64, seed);
            for (ByteBuffer output : tensors(fused.byRows())) {
                int[] words = new int[output.capacity() / 4];
                output.asIntBuffer().get(words);
                assertThat(LamportSentinel.containsSentinel(words, 0, words.length))
                        .as("seed=%d", seed)
                        .isFalse();
            }
        }
    }

    @Test
    void aHiddenSizeThatTheContractExcludesIsRefused() {
        for (int hidden : new int[] {Integer.MIN_VALUE, -8, 0, 4, 12, 65_537, 65_544, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> new CanonicalRow(DType.FP32, hidden))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("hidden=" + hidden);
        }
        CanonicalRow row = new CanonicalRow(DType.BF16, 64);
        assertThatThrownBy(() -> row.start(72)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> row.start(7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> row.weights(new int[36], 0, 72, 0f)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertSameBits(ReferenceOutputs actual, ReferenceOutputs expected, String what) {
        List<ByteBuffer> left = tensors(actual);
        List<ByteBuffer> right = tensors(expected);
        for (int i = 0; i < left.size(); i++) {
            assertThat(left.get(i).mismatch(right.get(i)))
                    .as("first wrong byte of output %d, %s", i, what)
                    .isEqualTo(-1);
        }
    }

    private static List<ByteBuffer> tensors(ReferenceOutputs outputs) {
        return List.copyOf(Stream.of(outputs.sum(), outputs.residualOut(), outputs.normOut())
                .filter(t -> t != null)
                .toList());
    }

    private static String describe(FusedCase fused, int world, long seed) {
        return String.format(
                "seed=%d type=%s epilogue=%s world=%d hidden=%d",
                seed, fused.type(), fused.epilogue(), world, fused.hidden());
    }
}
