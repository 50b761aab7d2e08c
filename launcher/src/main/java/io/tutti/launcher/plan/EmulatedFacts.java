package io.tutti.launcher.plan;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.facts.FactsCollector;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.HostDriverBuilder;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.RankFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What each rank of an emulated machine would report. Ranks take the devices in order, host by host, and processes take the
 * ranks in contiguous blocks.
 */
public final class EmulatedFacts {

    private final Topology topology;
    private final FaultPlan faults;

    /** @param faults what the drivers are told to fail */
    public EmulatedFacts(Topology topology, FaultPlan faults) {
        this.topology = topology;
        this.faults = faults;
    }

    /**
     * Asks a driver on each host.
     *
     * @param worldSize ranks, at most one for each device
     * @param processes how many processes host them; no process may span hosts
     * @throws TuttiException with code USAGE when that cannot be placed
     */
    public List<RankFacts> collect(int worldSize, int processes) {
        List<RankFacts> facts = new ArrayList<>();
        for (int host = 0; host < topology.hosts().size() && facts.size() < worldSize; host++) {
            try (HostDriver driver = HostDriver.builder()
                    .topology(topology)
                    .host(host)
                    .faults(faults)
                    .memory(HostDriverBuilder.Memory.AUTO)
                    .build()) {
                collect(driver, host, worldSize, processes, facts);
            }
        }
        if (facts.size() < worldSize) {
            throw mistake(
                    "more ranks than devices: ranks=" + worldSize + " devices=" + facts.size() + " topology="
                            + topology.name(),
                    "Give --ranks from 1 to " + facts.size() + ".");
        }
        requireWholeProcesses(facts);
        return facts;
    }

    private void collect(HostDriver driver, int host, int worldSize, int processes, List<RankFacts> facts) {
        Topology.Host machine = topology.hosts().get(host);
        HostIdentity identity = new HostIdentity(topology.name() + "/" + host, machine.name());
        for (int device = 0; device < machine.devices().size() && facts.size() < worldSize; device++) {
            int rank = facts.size();
            String process = "process-" + processOf(rank, worldSize, processes);
            facts.add(new FactsCollector(driver, identity, process, KernelAbi.VERSION)
                    .collect(rank, worldSize, device, Set.of(HandleKind.values())));
        }
    }

    private static int processOf(int rank, int worldSize, int processes) {
        int share = worldSize / processes;
        int larger = worldSize % processes;
        int inLarger = larger * (share + 1);
        return rank < inLarger ? rank / (share + 1) : larger + (rank - inLarger) / share;
    }

    private static void requireWholeProcesses(List<RankFacts> facts) {
        for (int rank = 1; rank < facts.size(); rank++) {
            RankFacts one = facts.get(rank - 1);
            RankFacts next = facts.get(rank);
            if (one.processId().equals(next.processId()) && !one.hostId().equals(next.hostId())) {
                throw mistake(
                        "a process cannot span hosts: ranks " + one.rank() + " and " + next.rank() + " share "
                                + one.processId() + " but are on " + one.hostName() + " and " + next.hostName(),
                        "Give --processes so that every host has whole processes, or leave it out.");
            }
        }
    }

    private static TuttiException mistake(String message, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, advice));
    }
}
