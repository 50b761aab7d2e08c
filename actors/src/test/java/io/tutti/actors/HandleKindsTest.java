package io.tutti.actors;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.Communicator;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.plan.PairClass;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The handle kinds that a configuration allows are the ones that carry the memory. */
@Timeout(60)
class HandleKindsTest {

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors travel over Linux's abstract sockets")
    void ranksOfOneProcessShareByDescriptorsWhenOnlyThoseAreAllowed() throws Exception {
        try (Tutti tutti = Tutti.start(
                ConfigFactory.parseString("tutti { communicators.tp0.world-size = 3, handle-kinds = [posix-fd] }")
                        .withFallback(ConfigFactory.load()))) {
            Communicator communicator =
                    tutti.communicator("tp0").toCompletableFuture().get(20, TimeUnit.SECONDS);

            assertThat(communicator.plan().handleKinds()).containsEntry(PairClass.SAME_PROCESS, HandleKind.POSIX_FD);
            try (RankTensors tensors = new RankTensors(communicator, 7, 256, 11)) {
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
}
