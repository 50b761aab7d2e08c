package io.tutti.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.CapturedCalls;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs as users see them: the bits of single calls, in order with them, over epochs, and nothing left. */
@Timeout(60)
class CapturedCallsTest {

    @Test
    void aGraphGivesTheBitsOfItsCallsHoweverOftenItIsReplayed() {
        try (Tutti tutti = start(3);
                RankTensors large = new RankTensors(communicator(tutti), 40, 512, 1);
                RankTensors small = new RankTensors(communicator(tutti), 1, 64, 2)) {
            List<CapturedCalls> graphs = capture(tutti, large, small, large);

            for (int round = 0; round < 30; round++) {
                large.poison();
                small.poison();
                List<CompletionStage<Completion>> replays =
                        each(rank -> graphs.get(rank).replay(), 3);
                List<CompletionStage<Completion>> single =
                        each(rank -> ranks(tutti).get(rank).allReduce(small.request(rank)), 3);
                settle(replays);
                settle(single);
                assertThat(large.allRight()).isTrue();
                assertThat(small.allRight()).isTrue();
            }
            graphs.forEach(CapturedCalls::close);
            graphs.forEach(CapturedCalls::close);
        }
    }

    @Test
    void aGraphIsCapturedAgainInTheNextEpoch() {
        try (Tutti tutti = start(2);
                RankTensors right = new RankTensors(communicator(tutti), 4, 64, 3);
                RankTensors other = new RankTensors(communicator(tutti), 2, 128, 4)) {
            List<CapturedCalls> graphs = capture(tutti, right);
            settle(each(rank -> graphs.get(rank).replay(), 2));
            long before = communicator(tutti).epoch().epoch();

            CompletionStage<Completion> zero = graphs.get(0).replay();
            CompletionStage<Completion> one = ranks(tutti).get(1).allReduce(other.request(1));
            assertThatThrownBy(() -> settle(List.of(zero))).hasMessageContaining("rank 1");
            assertThatThrownBy(() -> settle(List.of(one))).hasMessageContaining("rank 0");

            right.poison();
            settle(each(rank -> graphs.get(rank).replay(), 2));
            assertThat(right.allRight()).isTrue();
            assertThat(communicator(tutti).epoch().epoch()).isGreaterThan(before);
        }
    }

    @Test
    void whatCannotRunIsRefusedAtOnce() {
        try (Tutti tutti = start(1);
                RankTensors tensors = new RankTensors(communicator(tutti), 1, 64, 5)) {
            assertThatThrownBy(() -> ranks(tutti).get(0).capture(List.of()))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.USAGE));
            CapturedCalls graph = ranks(tutti).get(0).capture(List.of(tensors.request(0)));
            graph.close();
            assertThat(graph.replay().toCompletableFuture())
                    .failsWithin(5, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("closed");
        }
    }

    private static List<CapturedCalls> capture(Tutti tutti, RankTensors... calls) {
        List<CapturedCalls> graphs = new ArrayList<>();
        for (int rank = 0; rank < communicator(tutti).worldSize(); rank++) {
            List<FusedAllReduce> requests = new ArrayList<>();
            for (RankTensors call : calls) {
                requests.add(call.request(rank));
            }
            graphs.add(ranks(tutti).get(rank).capture(requests));
        }
        return graphs;
    }

    private static <T> List<T> each(IntFunction<T> ofRank, int ranks) {
        return IntStream.range(0, ranks).mapToObj(ofRank).toList();
    }

    private static void settle(List<CompletionStage<Completion>> calls) {
        calls.forEach(call ->
                call.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join());
    }

    private static List<Rank> ranks(Tutti tutti) {
        return communicator(tutti).localRanks();
    }

    private static Communicator communicator(Tutti tutti) {
        return tutti.communicator("tp0")
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private static Tutti start(int worldSize) {
        return Tutti.start(ConfigFactory.parseString("tutti.communicators.tp0.world-size = " + worldSize)
                .withFallback(ConfigFactory.load()));
    }
}
