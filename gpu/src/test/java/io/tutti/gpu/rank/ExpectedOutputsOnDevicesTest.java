package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.numerics.reference.ReferenceInputs;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.reference.ExpectedOutput;
import io.tutti.gpu.reference.OutputDigest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One digest per seed and shape, whatever the algorithm and the size of its chunks. */
final class ExpectedOutputsOnDevicesTest {

    static List<Integer> worlds() throws IOException {
        return ExpectedOutput.all().stream()
                .map(ExpectedOutput::world)
                .distinct()
                .sorted()
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void bothAlgorithmsGiveTheCommittedDigestOnEveryRank(int world) throws Exception {
        try (RankGroup group = new RankGroup(world, Duration.ofSeconds(30))) {
            for (Algorithm algorithm : Algorithm.values()) {
                EpochId epoch = group.form(group.plan(algorithm));
                for (ExpectedOutput expected : ExpectedOutput.all()) {
                    if (expected.world() == world && fits(expected, algorithm, group)) {
                        check(group, expected);
                    }
                }
                group.end(epoch);
            }
        }
    }

    private static boolean fits(ExpectedOutput expected, Algorithm algorithm, RankGroup group) {
        long row = (long) expected.hidden() * expected.dtype().bytes();
        return algorithm == Algorithm.TWO_SHOT
                || row <= group.plan(algorithm).workspace().oneShotBytes();
    }

    private static void check(RankGroup group, ExpectedOutput expected) throws Exception {
        ReferenceInputs inputs = expected.inputs();
        GroupCall call = new GroupCall(
                group,
                expected.dtype(),
                expected.epilogue(),
                expected.tokens(),
                expected.hidden(),
                inputs,
                0,
                "seeded");
        GroupCall.await(call.submit());
        for (int rank = 0; rank < expected.world(); rank++) {
            FusedAllReduce request = call.requests.get(rank);
            OutputDigest digest = new OutputDigest();
            if (expected.epilogue().hasNorm()) {
                digest.add(group.download(rank, Objects.requireNonNull(request.residualOut())));
                digest.add(group.download(rank, Objects.requireNonNull(request.normOut())));
            } else {
                digest.add(group.download(rank, Objects.requireNonNull(request.sumOut())));
            }
            assertThat(digest.hex()).as("%s on rank %d", expected, rank).isEqualTo(expected.sha256());
        }
        group.freeTensors();
    }
}
