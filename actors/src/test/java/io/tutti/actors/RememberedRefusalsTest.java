package io.tutti.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.Communicator;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What was refused once stays out of later epochs, with its reason, until a user asks to forget it. */
@Timeout(60)
@EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors travel over Linux's abstract sockets")
class RememberedRefusalsTest {

    private static final String SETTINGS =
            "tutti { driver = host, topology = h200-8, paths = [p2p], handle-kinds = [posix-fd, fabric]\n"
                    + "host-driver.memory-per-device = 256 MiB, communicators.tp0.world-size = 2\n"
                    + "inject = [\"rank=1 call=cuMemImportFromShareableHandle result=CUDA_ERROR_INVALID_HANDLE times=1\"] }";

    @Test
    void aHandleKindThatWasRefusedIsTriedAgainOnlyAfterItWasForgotten() throws Exception {
        try (Tutti tutti = Tutti.start(ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load()))) {
            Communicator communicator =
                    tutti.communicator("tp0").toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(kind(communicator)).isEqualTo(HandleKind.FABRIC);
            assertThat(tutti.facts("tp0")).extracting(RankFacts::rank).containsExactly(0, 1);

            // The fault is used up: descriptors would work now, if somebody tried.
            endEpoch(communicator);
            reduce(communicator);
            assertThat(kind(communicator)).isEqualTo(HandleKind.FABRIC);
            assertThat(communicator.plan().rejected()).last().satisfies(row -> {
                assertThat(row.stage()).isEqualTo("import");
                assertThat(row.result()).isEqualTo("CUDA_ERROR_INVALID_HANDLE");
                assertThat(row.advice()).contains("Tried in epoch 1, and not again until");
            });

            communicator.forgetRefusals().toCompletableFuture().get(20, TimeUnit.SECONDS);
            reduce(communicator);
            assertThat(kind(communicator)).as("the epoch goes on").isEqualTo(HandleKind.FABRIC);
            endEpoch(communicator);
            reduce(communicator);
            assertThat(kind(communicator)).isEqualTo(HandleKind.POSIX_FD);
            assertThat(communicator.plan().rejected())
                    .noneMatch(row -> row.stage().equals("import"));
        }
    }

    private static HandleKind kind(Communicator communicator) {
        return Objects.requireNonNull(communicator.plan().handleKinds().get(PairClass.SAME_PROCESS));
    }

    /** The ranks call with different shapes, which ends the epoch. */
    private static void endEpoch(Communicator communicator) {
        try (RankTensors wide = new RankTensors(communicator, 4, 128, 3);
                RankTensors narrow = new RankTensors(communicator, 8, 64, 3)) {
            CompletionStage<Completion> zero = communicator.localRanks().get(0).allReduce(wide.request(0));
            CompletionStage<Completion> one = communicator.localRanks().get(1).allReduce(narrow.request(1));
            for (CompletionStage<Completion> call : List.of(zero, one)) {
                assertThatThrownBy(() -> call.toCompletableFuture().get(20, TimeUnit.SECONDS))
                        .hasMessageContaining("different operations");
            }
        }
    }

    private static void reduce(Communicator communicator) {
        try (RankTensors tensors = new RankTensors(communicator, 2, 64, 5)) {
            communicator.localRanks().stream()
                    .map(rank -> rank.allReduce(tensors.request(rank.rank())))
                    .toList()
                    .forEach(call -> call.toCompletableFuture()
                            .orTimeout(20, TimeUnit.SECONDS)
                            .join());
            assertThat(tensors.allRight()).isTrue();
        }
    }
}
