package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.kernels.HostKernels;
import io.tutti.gpu.memory.HandleTransports;
import io.tutti.gpu.memory.InProcessTransport;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.memory.PosixFdTransport;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.process.LocalService;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Epochs of ranks that live in two processes, each played by a driver and a service of its own. */
@Timeout(60)
final class PosixFdEpochTest {

    private static final int PROCESSES = 2;
    private static final int RANKS_EACH = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final UUID COMMUNICATOR = UUID.randomUUID();
    private static final EpochPlan PLAN = new EpochPlan(
            PathKind.P2P,
            Map.of(PairClass.SAME_PROCESS, HandleKind.IN_PROCESS, PairClass.SAME_HOST, HandleKind.POSIX_FD),
            new WorkspaceSpec(PROCESSES * RANKS_EACH, 4096, 4096),
            1,
            Optional.empty(),
            List.of());

    private final int before = descriptors();
    private final List<LocalService> services = new ArrayList<>();
    private final List<HostDriver> drivers = new ArrayList<>();
    private final List<RankDevice> ranks = new ArrayList<>();

    @Test
    void storesReachThePeersOfBothProcessesAndNothingIsLeft() throws Exception {
        open();
        for (long number = 1; number <= 3; number++) {
            EpochId epoch = new EpochId(new Term(1, "test"), number);
            each(rank -> rank.allocate(epoch, PLAN));
            each(rank -> rank.fill(epoch, PATIENCE.toNanos()));
            List<MemoryOffer> offers = new ArrayList<>();
            each(rank -> offers.addAll(rank.export(epoch)));
            assertThat(offers).hasSize(ranks.size() * 2);
            int exported = descriptors();
            each(rank -> rank.importPeers(epoch, offers));
            each(rank -> rank.writePatterns(epoch, PATIENCE.toNanos()));
            each(rank -> rank.verifyPatterns(epoch, PATIENCE.toNanos()));
            assertThat(exported - descriptors())
                    .as("each rank has closed what it exported, and holds what it mapped")
                    .isEqualTo(ranks.size() - mappedFromOtherProcesses());
            each(rank -> rank.quiesce(PATIENCE.toNanos()));
            each(rank -> rank.arm(epoch, PATIENCE.toNanos()));
            each(rank -> rank.enter(epoch));
            each(rank -> rank.abort(epoch, RankGroup.ENDED));
            each(rank -> rank.drain(epoch, PATIENCE.toNanos()));
            each(rank -> rank.release(epoch));
        }
        close();
    }

    private int mappedFromOtherProcesses() {
        return ranks.size() * (PROCESSES - 1) * RANKS_EACH;
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

    private void open() {
        for (int process = 0; process < PROCESSES; process++) {
            String processId = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
            LocalService service = LocalService.start(processId);
            services.add(service);
            HostDriver driver = HostDriver.builder()
                    .topology(Topology.local(RANKS_EACH, 16L << 20))
                    .kernels(KernelAbi.IMAGE, HostKernels.all())
                    .build();
            drivers.add(driver);
            HandleTransports transports = new HandleTransports(
                    List.of(new InProcessTransport(), new PosixFdTransport(service, COMMUNICATOR, PATIENCE)));
            for (int device = 0; device < RANKS_EACH; device++) {
                ranks.add(RankDevice.open(
                        driver,
                        new RankDevice.Settings(
                                process * RANKS_EACH + device,
                                PROCESSES * RANKS_EACH,
                                device,
                                "host",
                                processId,
                                PATIENCE,
                                transports,
                                (epoch, sequence, status, named, call) -> {})));
            }
        }
    }

    private void each(Consumer<RankDevice> step) {
        ranks.forEach(step);
    }

    private void close() {
        each(RankDevice::close);
        for (HostDriver driver : drivers) {
            assertThat(driver.live().total()).as("%s", driver.live()).isZero();
            driver.close();
        }
        services.forEach(LocalService::close);
        assertThat(descriptors()).isEqualTo(before);
    }
}
