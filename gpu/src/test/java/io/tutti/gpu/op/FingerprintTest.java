package io.tutti.gpu.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a header tells apart. */
final class FingerprintTest {

    @Test
    void everythingThatRanksMustAgreeOnChangesIt() {
        Set<Long> seen = new HashSet<>();
        int count = 0;
        for (long tokens : new long[] {1, 64, 32}) {
            for (long hidden : new long[] {4096, 8192}) {
                for (DType dtype : DType.values()) {
                    for (Epilogue epilogue : Epilogue.values()) {
                        for (Algorithm algorithm : Algorithm.values()) {
                            for (int bits = 0; bits < 32; bits++) {
                                CallDescriptor call = new CallDescriptor(
                                        1,
                                        tokens,
                                        hidden,
                                        dtype,
                                        epilogue,
                                        algorithm,
                                        bits & 1,
                                        bits >> 1 & 1,
                                        (bits & 4) != 0,
                                        bits >> 3 & 1);
                                seen.add(Fingerprint.of(call, bits >> 4, tokens));
                                count++;
                            }
                        }
                    }
                }
            }
        }
        assertThat(seen).hasSize(count);
    }

    @Test
    void theSequenceIsNoPartOfIt() {
        assertThat(Fingerprint.of(call(1), 0, 4)).isEqualTo(Fingerprint.of(call(2), 0, 4));
    }

    @Test
    void noHalfIsTheSentinel() {
        assertThat(Fingerprint.withoutSentinel(0x8000000080000000L)).isEqualTo(0x8000000180000001L);
        assertThat(Fingerprint.withoutSentinel(0x1234567880000000L)).isEqualTo(0x1234567880000001L);
        assertThat(Fingerprint.withoutSentinel(0x1234567812345678L)).isEqualTo(0x1234567812345678L);
    }

    private static CallDescriptor call(long sequence) {
        return new CallDescriptor(sequence, 4, 64, DType.BF16, Epilogue.ALL_REDUCE, Algorithm.ONE_SHOT, 0, 0, true, 0);
    }
}
