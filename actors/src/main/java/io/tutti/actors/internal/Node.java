package io.tutti.actors.internal;

import io.tutti.actors.driver.Drivers;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.facts.FactsCollector;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.facts.ProcessIdentity;
import io.tutti.gpu.memory.HandleTransports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a process brings to its cluster: the driver and the ranks that are placed here. Opened before any actor exists. */
final class Node implements AutoCloseable {

    private final TuttiSettings settings;
    private final Driver driver;
    private final FactsCollector facts;
    private final Optional<ProcessSharing> sharing;
    private final Map<String, LocalCommunicator> communicators = new LinkedHashMap<>();
    private final Map<String, List<LocalRank>> ranks = new LinkedHashMap<>();

    private Node(TuttiSettings settings, Driver driver, Optional<ProcessSharing> sharing) {
        this.settings = settings;
        this.driver = driver;
        this.sharing = sharing;
        this.facts = new FactsCollector(driver, HostIdentity.current(), ProcessIdentity.current(), KernelAbi.VERSION);
    }

    static Node open(TuttiSettings settings) {
        Driver driver = Drivers.open(settings);
        Node node;
        try {
            node = new Node(settings, driver, sharing(settings));
        } catch (RuntimeException e) {
            driver.close();
            throw e;
        }
        try {
            settings.communicators().forEach(node::add);
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    /** Needed where a rank of a communicator with ranks here is elsewhere, or where descriptors are asked for. */
    private static Optional<ProcessSharing> sharing(TuttiSettings settings) {
        boolean needed = settings.communicators().stream()
                .filter(communicator -> !communicator.ranks().isEmpty())
                .anyMatch(communicator -> communicator.ranks().size() < communicator.worldSize()
                        || !settings.handleKinds().contains(HandleKind.IN_PROCESS));
        return needed ? Optional.of(ProcessSharing.open(settings, ProcessIdentity.current())) : Optional.empty();
    }

    private void add(CommunicatorSettings communicator) {
        List<LocalRank> local = new ArrayList<>();
        ranks.put(communicator.name(), local);
        HandleTransports transports = sharing.map(
                        process -> process.transports(CommunicatorInstance.of(settings, communicator)))
                .orElseGet(HandleTransports::standard);
        for (int rank : communicator.ranks()) {
            local.add(new LocalRank(
                    communicator.name(),
                    settings.cluster().formTimeout(),
                    onFailure -> RankDevices.open(
                            driver.actingAs(rank), settings, communicator, rank, transports, onFailure)));
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

    Optional<ProcessSharing> sharing() {
        return sharing;
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
        sharing.ifPresent(ProcessSharing::close);
        driver.close();
    }
}
