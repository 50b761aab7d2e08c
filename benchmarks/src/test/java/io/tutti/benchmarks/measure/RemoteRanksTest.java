package io.tutti.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.PathKind;
import io.tutti.launcher.input.OperationShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of the conversation between the measuring process and two that host ranks, without the processes. */
class RemoteRanksTest {

    private static final OperationShape SHAPE = new OperationShape(8, 64, DType.BF16);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Writes down what it is told and answers what the test says. */
    private record Scripted(List<String> told, Samples samples, long wrong, boolean promiseRefused)
            implements OurRanks {

        @Override
        public int worldSize() {
            return 4;
        }

        @Override
        public void load(OperationShape shape) {
            told.add("load " + shape);
        }

        @Override
        public Burst burst(int warmUp, int iterations, Duration limit) {
            told.add("burst " + warmUp + " " + iterations + " " + limit);
            return new Burst(samples, PathKind.P2P, Algorithm.TWO_SHOT);
        }

        @Override
        public void poison() {
            told.add("poison");
        }

        @Override
        public long judge() {
            return wrong;
        }

        @Override
        public void close() {
            told.add("close");
        }
    }

    private final Scripted first = new Scripted(new ArrayList<>(), Samples.of(1000, 5000, 3000), 2, false);
    private final Scripted second = new Scripted(new ArrayList<>(), Samples.of(4000, 2000, 3000), 3, true);

    private RemoteRanks remote() {
        List<RankServant> servants = List.of(new RankServant(first), new RankServant(second));
        return new RemoteRanks((question, limit) ->
                servants.stream().map(servant -> servant.answer(question)).toList());
    }

    @Test
    void everyProcessIsToldTheSame() {
        RemoteRanks ranks = remote();
        ranks.load(SHAPE);
        ranks.poison();
        ranks.burst(5, 3, LIMIT);
        ranks.close();
        assertThat(first.told()).containsExactly("load " + SHAPE, "poison", "burst 5 3 PT1M30S", "close");
        assertThat(second.told()).isEqualTo(first.told());
    }

    @Test
    void theSlowestRankOfAllProcessesCounts() {
        Burst burst = remote().burst(0, 3, LIMIT);
        assertThat(burst.slowest().nanos()).containsExactly(4000, 5000, 3000);
        assertThat(burst.path()).isEqualTo(PathKind.P2P);
        assertThat(burst.algorithm()).isEqualTo(Algorithm.TWO_SHOT);
    }

    @Test
    void wrongElementsAreAddedAndOneRefusalIsEnough() {
        RemoteRanks ranks = remote();
        assertThat(ranks.worldSize()).isEqualTo(4);
        assertThat(ranks.judge()).isEqualTo(5);
        assertThat(ranks.promiseRefused()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "dance", "load 1 2", "load x 8 fp32", "run 1 2 y", "run 1 2 3 4", "load 1 8 fp8"})
    void anythingElseIsRefused(String line) {
        assertThatThrownBy(() -> new RankServant(first).answer(line)).isInstanceOf(IllegalArgumentException.class);
        assertThat(first.told()).isEmpty();
    }
}
