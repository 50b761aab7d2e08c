package io.tutti.actors.internal;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.facts.FactsCollector;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.facts.ProcessIdentity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a process brings to its cluster: the driver and the ranks that are placed here. Opened before any actor exists. */
final class Node implements AutoCloseable {

    private final TuttiSettings settings;
    private final Driver driver;
    private final FactsCollector facts;
    private final Map<String, LocalCommunicator> communicators = new LinkedHashMap<>();
    private final Map<String, List<LocalRank>> ranks = new LinkedHashMap<>();

    private Node(TuttiSettings settings, Driver driver) {
        this.settings = settings;
        this.driver = driver;
        this.facts = new FactsCollector(driver, HostIdentity.current(), ProcessIdentity.current(), KernelAbi.VERSION);
    }

    static Node open(TuttiSettings settings) {
        Node node = new Node(settings, Drivers.open(settings));
        try {
            settings.communicators().forEach(node::add);
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private void add(CommunicatorSettings communicator) {
        List<LocalRank> local = new ArrayList<>();
        ranks.put(communicator.name(), local);
        for (int rank : communicator.ranks()) {
            local.add(new LocalRank(
                    communicator.name(),
                    settings.cluster().formTimeout(),
                    onFailure -> RankDevices.open(driver.actingAs(rank), settings, communicator, rank, onFailure)));
        }
        communicators.put(
                communicator.name(),
                new LocalCommunicator(communicator.name(), communicator.worldSize(), local, settings.closeTimeout()));
    }

    TuttiSettings settings() {
        return settings;
    }

    FactsCollector facts() {
        return facts;
    }

    Map<String, LocalCommunicator> communicators() {
        return communicators;
    }

    List<LocalRank> ranks(String communicator) {
        return ranks.getOrDefault(communicator, List.of());
    }

    /** Ranks whose actors have not given everything back, for the message of a slow close. */
    List<String> openRanks() {
        return ranks.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .filter(LocalRank::isOpen)
                        .map(rank -> entry.getKey() + "/" + rank.rank()))
                .toList();
    }

    @Override
    public void close() {
        Stream<LocalRank> all = ranks.values().stream().flatMap(List::stream);
        all.forEach(LocalRank::close);
        driver.close();
    }
}
