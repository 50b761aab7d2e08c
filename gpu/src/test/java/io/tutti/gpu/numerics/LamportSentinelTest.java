package io.tutti.gpu.numerics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LamportSentinelTest {
    private static final int[] WORDS = {
        0,
        1,
        -1,
        LamportSentinel.WORD,
        0x80000001,
        0x7fffffff,
        0x80008000,
        0x00008000,
        0x80010000,
        0xc0000000,
        0x40000000
    };

    @Test
    void onlyTheSentinelIsFoundAtAnyPlace() {
        for (int length : new int[] {1, 2, 7, 16, 33, 2048}) {
            for (int place = 0; place < length; place += Math.max(1, length / 33)) {
                for (int word : WORDS) {
                    int[] words = new int[length + 2];
                    words[0] = LamportSentinel.WORD;
                    words[length + 1] = LamportSentinel.WORD;
                    words[place + 1] = word;
                    assertThat(LamportSentinel.containsSentinel(words, 1, length))
                            .as("length=%d place=%d word=%08x", length, place, word)
                            .isEqualTo(word == LamportSentinel.WORD);
                }
            }
        }
        assertThat(LamportSentinel.containsSentinel(new int[] {LamportSentinel.WORD}, 0, 0))
                .isFalse();
    }

    @Test
    void clearingTurnsTheSentinelIntoZeroAndKeepsEveryOtherWord() {
        int[] words = new int[WORDS.length + 2];
        words[0] = LamportSentinel.WORD;
        words[WORDS.length + 1] = LamportSentinel.WORD;
        System.arraycopy(WORDS, 0, words, 1, WORDS.length);
        LamportSentinel.clearNegativeZero(words, 1, WORDS.length);
        for (int i = 0; i < WORDS.length; i++) {
            assertThat(words[i + 1]).isEqualTo(WORDS[i] == LamportSentinel.WORD ? 0 : WORDS[i]);
        }
        assertThat(words[0]).isEqualTo(LamportSentinel.WORD);
        assertThat(words[WORDS.length + 1]).isEqualTo(LamportSentinel.WORD);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void clearedPartialsGiveTheSameBits(DType type) {
        for (long seed = 0; seed < 60; seed++) {
            FusedCase fused = FusedCase.random(type, 3, 1, 64, seed);
            CanonicalRow row = new CanonicalRow(type, 64);
            row.start(64);
            fused.inputs().partials().forEach(partial -> {
                int[] words = fused.words(partial, 0);
                LamportSentinel.clearNegativeZero(words, 0, words.length);
                assertThat(LamportSentinel.containsSentinel(words, 0, words.length))
                        .isFalse();
                row.add(words, 0);
            });
            row.add(fused.words(fused.inputs().residual(), 0), 0);
            int[] residualOut = new int[fused.rowBytes() / 4];
            row.round(residualOut, 0);
            assertThat(residualOut)
                    .as("seed=%d", seed)
                    .isEqualTo(fused.words(fused.byReference().residualOut(), 0));
        }
    }

    @Test
    void noRandomWordIsMistakenForTheSentinel() {
        SplittableRandom random = new SplittableRandom(3);
        int mistakes = 0;
        for (int i = 0; i < 1_000_000; i++) {
            int word = random.nextInt();
            boolean found = LamportSentinel.containsSentinel(new int[] {word}, 0, 1);
            mistakes += found == (word == LamportSentinel.WORD) ? 0 : 1;
        }
        assertThat(mistakes).isZero();
    }
}
