package io.tutti.gpu.rank;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.numerics.Payload;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every world size, algorithm, type, epilogue and payload gives the bits of the scalar reference. */
final class CanonicalBitsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 9, 72})
    void bothAlgorithmsGiveTheReferencesBitsForAnyPayload(int world) throws Exception {
        try (RankGroup group = new RankGroup(world, TIMEOUT)) {
            for (Algorithm algorithm : Algorithm.values()) {
                EpochId epoch = group.form(group.plan(algorithm));
                long seed = 0;
                for (DType dtype : DType.values()) {
                    for (Epilogue epilogue : Epilogue.values()) {
                        for (Payload payload : Payload.values()) {
                            int tokens = 1 + (int) (seed % 5);
                            int hidden = 8 * (1 + (int) (seed * 7 % 23));
                            int variant = (int) (seed % 4);
                            new GroupCall(group, dtype, epilogue, tokens, hidden, payload, seed++, variant).run();
                            group.freeTensors();
                        }
                    }
                }
                group.end(epoch);
            }
        }
    }

    @Test
    void algorithmsTypesAndSizesMayAlternateFromCallToCall() throws Exception {
        try (RankGroup group = new RankGroup(3, TIMEOUT)) {
            EpochId epoch = group.form(group.plan(null));
            int[] sizes = {64, 1, 64, 2, 200, 3, 1, 1, 31};
            long seed = 100;
            for (int round = 0; round < 3; round++) {
                for (int tokens : sizes) {
                    DType dtype = DType.values()[(int) (seed % 3)];
                    Payload payload = Payload.of(seed);
                    new GroupCall(group, dtype, Epilogue.RESIDUAL_RMSNORM, tokens, 512, payload, seed++, 1).run();
                    group.freeTensors();
                }
            }
            group.end(epoch);
        }
    }
}
