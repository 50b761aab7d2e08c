package io.tutti.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The runtime end to end in one process: configuration in, checked bits out, nothing left. */
@Timeout(60)
class TuttiTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 9})
    void formsAnEpochAndReducesToTheCanonicalBits(int worldSize) {
        try (Tutti tutti = Tutti.start(config("tutti.communicators.tp0.world-size = " + worldSize))) {
            Communicator communicator = communicator(tutti);

            assertThat(communicator.path()).isEqualTo(PathKind.P2P);
            assertThat(communicator.epoch().epoch()).isEqualTo(1);
            assertThat(communicator.plan().rejected())
                    .singleElement()
                    .satisfies(row -> assertThat(row.advice()).isNotEmpty());
            reduceAndCheck(communicator, 5, 512, 1);
            reduceAndCheck(communicator, 1, 8, 2);
        }
    }

    @Test
    void aMismatchNamesBothCallsAndTheNextCallRunsInANewEpoch() {
        try (Tutti tutti = Tutti.start(config("tutti.communicators.tp0.world-size = 2"))) {
            Communicator communicator = communicator(tutti);
            // The same bytes in another shape: only the header can tell.
            try (RankTensors wide = new RankTensors(communicator, 32, 1024, 3);
                    RankTensors narrow = new RankTensors(communicator, 64, 512, 3)) {
                CompletionStage<Completion> zero =
                        communicator.localRanks().get(0).allReduce(wide.request(0));
                CompletionStage<Completion> one =
                        communicator.localRanks().get(1).allReduce(narrow.request(1));

                for (CompletionStage<Completion> call : List.of(zero, one)) {
                    assertThat(failure(call).info().code()).isEqualTo(ErrorCode.MISMATCH);
                    assertThat(failure(call).info().message())
                            .contains("rank 0")
                            .contains("[32 × 1024]")
                            .contains("rank 1")
                            .contains("[64 × 512]");
                }
            }
            reduceAndCheck(communicator, 3, 64, 4);
            assertThat(communicator.epoch().epoch()).isGreaterThan(1);
        }
    }

    @Test
    void aRankThatNeverCallsIsNamedByItsPeersWithinTheOperationsDeadline() {
        try (Tutti tutti =
                Tutti.start(config("tutti.communicators.tp0.world-size = 3", "tutti.operation.timeout = 500ms"))) {
            Communicator communicator = communicator(tutti);
            try (RankTensors tensors = new RankTensors(communicator, 2, 64, 5)) {
                CompletionStage<Completion> zero =
                        communicator.localRanks().get(0).allReduce(tensors.request(0));
                CompletionStage<Completion> two =
                        communicator.localRanks().get(2).allReduce(tensors.request(2));

                for (CompletionStage<Completion> call : List.of(zero, two)) {
                    assertThat(failure(call).info().code()).isEqualTo(ErrorCode.TIMEOUT);
                    assertThat(failure(call).info().message()).contains("rank 1");
                }
            }
            reduceAndCheck(communicator, 2, 64, 6);
        }
    }

    @Test
    void requestsThatCanNeverWorkAreRefusedAtTheCall() {
        try (Tutti tutti = Tutti.start(config("tutti.communicators.tp0.world-size = 1"))) {
            Rank rank = communicator(tutti).localRanks().get(0);
            try (TensorMemory odd = rank.allocate(io.tutti.gpu.DType.FP32, 1, 12)) {
                assertThatThrownBy(() -> rank.allReduce(FusedAllReduce.sum(odd.tensor(), odd.tensor())))
                        .isInstanceOfSatisfying(
                                TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.USAGE));
            }
        }
    }

    @Test
    void attachesToARunningActorSystemAndLeavesItRunning() {
        ActorSystem<Void> system = ActorSystem.create(
                Behaviors.empty(),
                "embedder",
                config(
                        "tutti.communicators.tp0.world-size = 2",
                        "pekko.actor.provider = cluster",
                        "pekko.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }"));
        try {
            org.apache.pekko.cluster.typed.Cluster cluster = org.apache.pekko.cluster.typed.Cluster.get(system);
            cluster.manager()
                    .tell(org.apache.pekko.cluster.typed.Join.create(
                            cluster.selfMember().address()));
            try (Tutti tutti = Tutti.attach(system)) {
                reduceAndCheck(communicator(tutti), 4, 128, 7);
            }
            assertThat(system.whenTerminated().isCompleted()).isFalse();
        } finally {
            system.terminate();
        }
    }

    @Test
    void anUnknownCommunicatorIsRefusedWithTheConfiguredNames() {
        try (Tutti tutti = Tutti.start(config("tutti.communicators.tp0.world-size = 1"))) {
            Throwable failure = catchThrowable(
                    () -> tutti.communicator("tp9").toCompletableFuture().join());
            assertThat(failure.getCause()).hasMessageContaining("tp9").hasMessageContaining("tp0");
        }
    }

    @Test
    void aSeedNodeThatNeverAnswersEndsTheWaitInTimeAndNamesItAndClosingIsPrompt() {
        try (Tutti tutti = Tutti.start(config(
                "tutti.cluster.seed-nodes = [\"127.0.0.1:1\"]",
                "tutti.cluster.form-timeout = 1s",
                "tutti.close.timeout = 20s"))) {
            for (int ask = 0; ask < 2; ask++) {
                TuttiException failure = failure(tutti.communicator("tp0"));
                assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
                assertThat(failure.info().message()).contains("seedNodes=[127.0.0.1:1]", "waited=1000ms");
                assertThat(failure.info().advice()).contains("tutti.cluster.seed-nodes");
            }
        }
    }

    @Test
    void somethingElseThanAMemberAtASeedNodesAddressIsSaidToBeOnePossibleReason() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread talk = new Thread(() -> greetEverybody(stranger), "stranger");
            talk.setDaemon(true);
            talk.start();
            try (Tutti tutti =
                    Tutti.start(config("tutti.cluster.seed-nodes = [\"127.0.0.1:" + stranger.getLocalPort() + "\"]"))) {
                TuttiException failure = failure(tutti.communicator("tp0"));
                assertThat(failure.code()).isEqualTo(ErrorCode.REMOTE);
                assertThat(failure.info().message())
                        .contains("the actor system ended by itself", "127.0.0.1:" + stranger.getLocalPort());
            }
        }
    }

    private static void greetEverybody(ServerSocket stranger) {
        try {
            while (true) {
                stranger.accept().getOutputStream().write("220 mail\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    @Test
    @Timeout(15)
    void aRuntimeThatHasNotJoinedAnythingClosesPromptly() {
        Tutti.start(config("tutti.cluster.seed-nodes = [\"127.0.0.1:1\"]")).close();
    }

    @Test
    void aClusterWithoutAMemberThatMayCoordinateIsToldSo() {
        try (Tutti tutti =
                Tutti.start(config("tutti.cluster.coordinator-role = nobody", "tutti.cluster.form-timeout = 2s"))) {
            TuttiException failure = failure(tutti.communicator("tp0"));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure.info().message()).contains("coordinatorRole=nobody");
        }
    }

    private static void reduceAndCheck(Communicator communicator, int tokens, int hidden, long seed) {
        try (RankTensors tensors = new RankTensors(communicator, tokens, hidden, seed)) {
            List<CompletionStage<Completion>> calls = IntStream.range(0, communicator.worldSize())
                    .mapToObj(rank -> communicator.localRanks().get(rank).allReduce(tensors.request(rank)))
                    .toList();
            calls.forEach(call ->
                    call.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join());
            assertThat(tensors.allRight()).isTrue();
        }
    }

    private static TuttiException failure(CompletionStage<?> call) {
        Throwable thrown = catchThrowable(
                () -> call.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join());
        assertThat(thrown).isInstanceOf(CompletionException.class);
        if (thrown.getCause() instanceof TuttiException cause) {
            return cause;
        }
        throw new AssertionError("not a typed failure", thrown);
    }

    private static Communicator communicator(Tutti tutti) {
        try {
            return tutti.communicator("tp0").toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no epoch was committed", e);
        }
    }

    private static Config config(String... lines) {
        return ConfigFactory.parseString(String.join("\n", lines)).withFallback(ConfigFactory.load());
    }
}
