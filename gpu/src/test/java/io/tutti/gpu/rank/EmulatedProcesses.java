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
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.memory.PosixFdTransport;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.process.LocalService;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Ranks of one communicator in several processes of an emulated machine, each played by a driver and a service of its own.
 * Closing demands that every driver has everything back.
 */
final class EmulatedProcesses implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final UUID COMMUNICATOR = UUID.fromString("00000000-0000-4000-8000-00000000e90c");

    private final Topology topology;
    private final int world;
    private final int first;
    private final List<LocalService> services = new ArrayList<>();
    final List<HostDriver> drivers = new ArrayList<>();
    final List<RankDevice> ranks = new ArrayList<>();
    private long epochs;

    EmulatedProcesses(Topology topology, int world) {
        this(topology, world, 0);
    }

    /** @param first the first rank here, where the others are in another process of the machine */
    EmulatedProcesses(Topology topology, int world, int first) {
        this.topology = topology;
        this.world = world;
        this.first = first;
    }

    /** Adds a process on an emulated host with a rank on each of these devices. */
    EmulatedProcesses add(int host, int... devices) {
        String processId = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
        LocalService service = LocalService.start(processId);
        services.add(service);
        HostDriver driver = HostDriver.builder()
                .topology(topology)
                .host(host)
                .kernels(KernelAbi.IMAGE, HostKernels.all())
                .build();
        drivers.add(driver);
        HandleTransports transports =
                HandleTransports.standard().and(new PosixFdTransport(service, COMMUNICATOR, PATIENCE));
        for (int device : devices) {
            ranks.add(RankDevice.open(
                    driver,
                    new RankDevice.Settings(
                            first + ranks.size(),
                            world,
                            device,
                            "host-" + host,
                            processId,
                            PATIENCE,
                            transports,
                            (epoch, sequence, status, named, call) -> {})));
        }
        return this;
    }

    EpochPlan plan(Map<PairClass, HandleKind> kinds) {
        return new EpochPlan(PathKind.P2P, kinds, new WorkspaceSpec(world, 4096, 4096), 1, Optional.empty(), List.of());
    }

    EpochId nextEpoch() {
        return new EpochId(new Term(1, "test"), ++epochs);
    }

    void each(Consumer<RankDevice> step) {
        ranks.forEach(step);
    }

    /** Up to the offers of all ranks. */
    List<MemoryOffer> offer(EpochId epoch, EpochPlan plan) {
        each(rank -> rank.allocate(epoch, plan));
        each(rank -> rank.fill(epoch, PATIENCE.toNanos()));
        List<MemoryOffer> offers = new ArrayList<>();
        each(rank -> offers.addAll(rank.export(epoch)));
        return offers;
    }

    /** From the imports to the commit: every rank stores to every other, by kernels. */
    void enter(EpochId epoch, List<MemoryOffer> offers) {
        each(rank -> rank.importPeers(epoch, offers));
        each(rank -> rank.writePatterns(epoch, PATIENCE.toNanos()));
        each(rank -> rank.verifyPatterns(epoch, PATIENCE.toNanos()));
        each(rank -> rank.quiesce(PATIENCE.toNanos()));
        commit(epoch);
    }

    /** After every rank of every process has quiesced. */
    void commit(EpochId epoch) {
        each(rank -> rank.arm(epoch, PATIENCE.toNanos()));
        each(rank -> rank.enter(epoch));
    }

    void drain(EpochId epoch) {
        each(rank -> rank.abort(epoch, RankGroup.ENDED));
        each(rank -> rank.drain(epoch, PATIENCE.toNanos()));
    }

    /** Plain allocations of a process's driver. */
    long plainAllocations(int process) {
        return drivers.get(process).live().byKind().getOrDefault("memory", 0L);
    }

    @Override
    public void close() {
        each(RankDevice::close);
        for (HostDriver driver : drivers) {
            assertThat(driver.live().total()).as("%s", driver.live()).isZero();
            driver.close();
        }
        services.forEach(LocalService::close);
    }
}
