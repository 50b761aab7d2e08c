package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Epochs of ranks that live in two processes, each played by a driver and a service of its own. */
@Timeout(60)
final class PosixFdEpochTest {

    private static final int PROCESSES = 2;
    private static final int RANKS_EACH = 2;
    private static final int MAPPED_FROM_OTHER_PROCESSES = PROCESSES * RANKS_EACH * (PROCESSES - 1) * RANKS_EACH;

    private final int before = descriptors();

    @Test
    void storesReachThePeersOfBothProcessesAndNothingIsLeft() {
        try (EmulatedProcesses processes = new EmulatedProcesses(
                        Topology.local(RANKS_EACH, 16L << 20), PROCESSES * RANKS_EACH)
                .add(0, 0, 1)
                .add(0, 0, 1)) {
            EpochPlan plan = processes.plan(
                    Map.of(PairClass.SAME_PROCESS, HandleKind.IN_PROCESS, PairClass.SAME_HOST, HandleKind.POSIX_FD));
            for (int round = 0; round < 3; round++) {
                EpochId epoch = processes.nextEpoch();
                List<MemoryOffer> offers = processes.offer(epoch, plan);
                assertThat(offers).hasSize(processes.ranks.size() * 2);
                int exported = descriptors();
                processes.enter(epoch, offers);
                assertThat(exported - descriptors())
                        .as("each rank has closed what it exported, and holds what it mapped")
                        .isEqualTo(processes.ranks.size() - MAPPED_FROM_OTHER_PROCESSES);
                processes.drain(epoch);
                processes.each(rank -> rank.release(epoch));
            }
        }
        assertThat(descriptors()).isEqualTo(before);
    }

    /** Descriptors of shared memory that this JVM holds. */
    private static int descriptors() {
        int found = 0;
        for (int fd = 0; fd < 1024; fd++) {
            try {
                found += Descriptors.name(fd).contains("memfd:") ? 1 : 0;
            } catch (IOException e) {
                // Not open.
            }
        }
        return found;
    }
}
