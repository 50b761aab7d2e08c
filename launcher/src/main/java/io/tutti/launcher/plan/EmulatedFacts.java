package io.tutti.launcher.plan;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.facts.FactsCollector;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.processes.RankDealing;
import java.util.ArrayList;
import java.util.Collections;
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
     * @param processes how many processes host them
     * @throws TuttiException with code USAGE when there are not enough devices
     */
    public List<RankFacts> collect(int worldSize, int processes) {
        int devices = topology.deviceCount();
        if (worldSize > devices) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "more ranks than devices: ranks=" + worldSize + " devices=" + devices + " topology="
                            + topology.name(),
                    "Give --ranks from 1 to " + devices + "."));
        }
        List<String> processOfRank = deal(worldSize, processes);
        List<RankFacts> facts = new ArrayList<>();
        for (int host = 0; host < topology.hosts().size() && facts.size() < worldSize; host++) {
            try (HostDriver driver = HostDriver.builder()
                    .topology(topology)
                    .host(host)
                    .faults(faults)
                    .build()) {
                collect(driver, host, processOfRank, facts);
            }
        }
        return facts;
    }

    private void collect(HostDriver driver, int host, List<String> processOfRank, List<RankFacts> facts) {
        int worldSize = processOfRank.size();
        HostIdentity identity = HostIdentity.emulated(
                topology.name(), host, topology.hosts().get(host).name());
        while (facts.size() < worldSize && topology.place(facts.size()).host() == host) {
            int rank = facts.size();
            facts.add(new FactsCollector(driver, identity, processOfRank.get(rank), KernelAbi.VERSION)
                    .collect(rank, worldSize, topology.place(rank).device(), Set.of(HandleKind.values())));
        }
    }

    /** The process of each rank, by rank. */
    private static List<String> deal(int worldSize, int processes) {
        List<String> processOfRank = new ArrayList<>();
        List<List<Integer>> blocks = RankDealing.deal(worldSize, processes);
        for (int process = 0; process < processes; process++) {
            processOfRank.addAll(Collections.nCopies(blocks.get(process).size(), "process-" + process));
        }
        return processOfRank;
    }
}
