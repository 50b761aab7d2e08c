package io.tutti.gpu.rank;

import static io.tutti.gpu.HandleKind.FABRIC;
import static io.tutti.gpu.HandleKind.IN_PROCESS;
import static io.tutti.gpu.HandleKind.LEGACY_IPC;
import static io.tutti.gpu.HandleKind.POSIX_FD;
import static io.tutti.gpu.plan.PairClass.OTHER_HOST;
import static io.tutti.gpu.plan.PairClass.SAME_HOST;
import static io.tutti.gpu.plan.PairClass.SAME_PROCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.host.TestTopologies;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.memory.HandleException;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Epochs over each handle kind and each mixture, with the driver's own refusals. */
@Timeout(60)
@EnabledOnOs(value = OS.LINUX, disabledReason = "emulated processes share memory by descriptors")
final class HandleKindEpochTest {

    private static final String OTHER_CLUSTER = "11111111-2222-3333-4444-555555555555";

    private static Topology oneClique() {
        return TestTopologies.fabric(true, TestTopologies.CLUSTER);
    }

    private static void epochsWork(EmulatedProcesses processes, Map<PairClass, HandleKind> kinds) {
        try (processes) {
            EpochPlan plan = processes.plan(kinds);
            for (int round = 0; round < 3; round++) {
                EpochId epoch = processes.nextEpoch();
                processes.enter(epoch, processes.offer(epoch, plan));
                processes.drain(epoch);
                processes.each(rank -> rank.release(epoch));
            }
        }
    }

    @Test
    void legacyIpcCarriesTwoProcessesOfOneHost() {
        epochsWork(
                new EmulatedProcesses(Topology.local(2, 64 << 20), 2).add(0, 0).add(0, 1),
                Map.of(SAME_HOST, LEGACY_IPC));
    }

    @Test
    void ranksOfOneProcessUseThePlainMemoryOfLegacyIpcInProcess() {
        epochsWork(
                new EmulatedProcesses(Topology.local(4, 64 << 20), 4)
                        .add(0, 0, 1)
                        .add(0, 2, 3),
                Map.of(SAME_PROCESS, IN_PROCESS, SAME_HOST, LEGACY_IPC));
    }

    @Test
    void fabricCarriesTwoHostsOfOneClique() {
        epochsWork(
                new EmulatedProcesses(oneClique(), 4).add(0, 0, 1).add(1, 0, 1),
                Map.of(SAME_PROCESS, IN_PROCESS, OTHER_HOST, FABRIC));
    }

    @Test
    void oneMemoryIsExportedAsDescriptorAndAsFabricHandle() {
        epochsWork(
                new EmulatedProcesses(oneClique(), 4).add(0, 0).add(0, 1).add(1, 0, 1),
                Map.of(SAME_PROCESS, IN_PROCESS, SAME_HOST, POSIX_FD, OTHER_HOST, FABRIC));
    }

    @Test
    void fabricAloneCarriesEveryPair() {
        epochsWork(
                new EmulatedProcesses(oneClique(), 4).add(0, 0).add(0, 1).add(1, 0, 1),
                Map.of(SAME_PROCESS, FABRIC, SAME_HOST, FABRIC, OTHER_HOST, FABRIC));
    }

    @Test
    void legacyIpcMemoryStaysUntilEveryImporterHasClosedIt() {
        try (EmulatedProcesses processes =
                new EmulatedProcesses(Topology.local(2, 64 << 20), 2).add(0, 0).add(0, 1)) {
            long before = processes.plainAllocations(0);
            EpochPlan plan = processes.plan(Map.of(SAME_HOST, LEGACY_IPC));
            EpochId first = processes.nextEpoch();
            processes.enter(first, processes.offer(first, plan));
            processes.drain(first);
            processes.ranks.get(0).release(first);
            assertThat(processes.plainAllocations(0)).isEqualTo(before + 1);
            processes.ranks.get(1).release(first);

            EpochId second = processes.nextEpoch();
            List<MemoryOffer> offers = processes.offer(second, plan);
            assertThat(processes.plainAllocations(0)).isEqualTo(before + 2);
            processes.enter(second, offers);
            assertThat(processes.plainAllocations(0)).isEqualTo(before + 1);
            processes.drain(second);
            processes.each(rank -> rank.abandon(second));
            assertThat(processes.plainAllocations(0))
                    .as("a peer that may still write finds the memory")
                    .isEqualTo(before + 1);
        }
    }

    private static void refused(HandleKind kind, String call, String result, ThrowingCallable step) {
        TuttiException refusal = catchThrowableOfType(TuttiException.class, step);
        assertThat(refusal).isNotNull();
        assertThat(HandleException.kindOf(refusal)).contains(kind);
        assertThat(refusal.info().call()).isEqualTo(call);
        assertThat(refusal.info().result()).isEqualTo(result);
        assertThat(refusal.info().advice()).isNotEmpty();
        assertThat(refusal.info().rank()).isNotNull();
    }

    @Test
    void withoutAnImexChannelMemoryForFabricHandlesIsRefusedAndFabricIsBlamed() {
        Topology topology = TestTopologies.h200Pair(64 << 20);
        for (Map<PairClass, HandleKind> kinds :
                List.of(Map.of(SAME_HOST, FABRIC), Map.of(SAME_HOST, POSIX_FD, OTHER_HOST, FABRIC))) {
            try (EmulatedProcesses processes =
                    new EmulatedProcesses(topology, 2).add(0, 0).add(0, 1)) {
                refused(
                        FABRIC,
                        "cuMemCreate",
                        "CUDA_ERROR_NOT_PERMITTED",
                        () -> processes.offer(processes.nextEpoch(), processes.plan(kinds)));
            }
        }
    }

    @Test
    void aPeerThatMayNotImportFabricHandlesBlamesFabric() {
        // The exporter's device is in another cluster than the importer's.
        try (EmulatedProcesses processes = new EmulatedProcesses(TestTopologies.fabric(true, OTHER_CLUSTER), 2)
                .add(0, 0)
                .add(1, 0)) {
            importIsRefused(
                    processes, OTHER_HOST, FABRIC, "cuMemImportFromShareableHandle", "CUDA_ERROR_NOT_PERMITTED");
        }
    }

    @Test
    void legacyIpcIsRefusedOnAnotherHostAndInItsOwnProcess() {
        try (EmulatedProcesses processes =
                new EmulatedProcesses(oneClique(), 2).add(0, 0).add(1, 0)) {
            importIsRefused(processes, OTHER_HOST, LEGACY_IPC, "cuIpcOpenMemHandle", "CUDA_ERROR_INVALID_HANDLE");
        }
        try (EmulatedProcesses processes = new EmulatedProcesses(oneClique(), 2).add(0, 0, 1)) {
            importIsRefused(processes, SAME_PROCESS, LEGACY_IPC, "cuIpcOpenMemHandle", "CUDA_ERROR_INVALID_CONTEXT");
        }
    }

    private static void importIsRefused(
            EmulatedProcesses processes, PairClass pair, HandleKind kind, String call, String result) {
        EpochId epoch = processes.nextEpoch();
        List<MemoryOffer> offers = processes.offer(epoch, processes.plan(Map.of(pair, kind)));
        processes.each(rank -> refused(kind, call, result, () -> rank.importPeers(epoch, offers)));
    }

    @Test
    void junkInsteadOfAHandleIsRefused() {
        for (HandleKind kind : List.of(FABRIC, LEGACY_IPC)) {
            try (EmulatedProcesses processes =
                    new EmulatedProcesses(oneClique(), 2).add(0, 0).add(0, 1)) {
                EpochId epoch = processes.nextEpoch();
                List<MemoryOffer> junk = processes.offer(epoch, processes.plan(Map.of(SAME_HOST, kind))).stream()
                        .map(offer -> offer.withHandle(new byte[64]))
                        .toList();
                refused(
                        kind,
                        kind == FABRIC ? "cuMemImportFromShareableHandle" : "cuIpcOpenMemHandle",
                        kind == FABRIC ? "CUDA_ERROR_NOT_SUPPORTED" : "CUDA_ERROR_INVALID_VALUE",
                        () -> processes.ranks.get(0).importPeers(epoch, junk));
            }
        }
    }

    @Test
    void kindsThatNoOneMemoryServesAreRefusedBeforeAnythingIsAllocated() {
        try (EmulatedProcesses processes =
                new EmulatedProcesses(oneClique(), 3).add(0, 0, 1).add(0, 0)) {
            TuttiException refusal = catchThrowableOfType(
                    TuttiException.class,
                    () -> processes.offer(
                            processes.nextEpoch(),
                            processes.plan(Map.of(SAME_PROCESS, POSIX_FD, SAME_HOST, LEGACY_IPC))));
            assertThat(refusal).hasMessageContaining("no one memory serves");
        }
    }
}
