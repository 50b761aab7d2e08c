package io.tutti.actors.driver;

import io.tutti.config.TuttiSettings;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.host.kernels.HostKernels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An emulated machine: a driver for each of its hosts that ranks of this process live on, opened with the first of them. */
final class EmulatedMachine implements RankDrivers {

    private final Topology topology;
    private final FaultPlan faults;
    private final boolean bindThreads;
    private final Map<Integer, Driver> byHost = new LinkedHashMap<>();

    /** @param faults what the drivers are told to fail; a rule that holds for some calls holds for those of all hosts */
    EmulatedMachine(Topology topology, FaultPlan faults, boolean bindThreads) {
        this.topology = topology;
        this.faults = faults;
        this.bindThreads = bindThreads;
    }

    @Override
    public Place place(List<Integer> here, int rank) {
        Topology.Place place = topology.place(rank);
        return new Place(byHost.computeIfAbsent(place.host(), this::open), identity(place.host()), place.device());
    }

    private Driver open(int host) {
        return HostDriver.builder()
                .topology(topology)
                .host(host)
                .kernels(KernelAbi.IMAGE, HostKernels.all())
                .faults(faults)
                .bindThreads(bindThreads)
                .build();
    }

    /** {@code local} is this machine itself. */
    private HostIdentity identity(int host) {
        return topology.name().equals(TuttiSettings.LOCAL)
                ? HostIdentity.current()
                : HostIdentity.emulated(
                        topology.name(), host, topology.hosts().get(host).name());
    }

    @Override
    public void close() {
        try (UndoStack all = new UndoStack()) {
            byHost.values().forEach(driver -> all.push(driver::close));
        }
    }
}
