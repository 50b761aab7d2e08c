package io.tutti.actors.internal;

import io.tutti.actors.driver.Drivers;
import io.tutti.actors.driver.RankDrivers;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.facts.FactsCollector;
import io.tutti.gpu.facts.ProcessIdentity;
import io.tutti.gpu.memory.HandleTransports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What a process brings to its cluster: its drivers and the ranks that are placed here. Opened before any actor exists. */
final class Node implements AutoCloseable {

    private final TuttiSettings settings;
    private final RankDrivers drivers;
    private final Map<String, FactsCollector> factsByHost = new HashMap<>();
    private final Optional<ProcessSharing> sharing;
    private final Map<String, LocalCommunicator> communicators = new LinkedHashMap<>();
    private final Map<String, List<LocalRank>> ranks = new LinkedHashMap<>();

    private Node(TuttiSettings settings, RankDrivers drivers, Optional<ProcessSharing> sharing) {
        this.settings = settings;
        this.drivers = drivers;
        this.sharing = sharing;
    }

    static Node open(TuttiSettings settings) {
        RankDrivers drivers = Drivers.open(settings);
        Node node;
        try {
            node = new Node(settings, drivers, sharing(settings));
        } catch (RuntimeException e) {
            drivers.close();
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
            RankDrivers.Place place = drivers.place(communicator.ranks(), rank);
            factsByHost.computeIfAbsent(
                    place.host().id(),
                    id -> new FactsCollector(
                            place.driver(), place.host(), ProcessIdentity.current(), KernelAbi.VERSION));
            local.add(new LocalRank(
                    communicator.name(),
                    settings.cluster().formTimeout(),
                    onFailure -> RankDevices.open(place, settings, communicator, rank, transports, onFailure)));
        }
        communicators.put(
                communicator.name(),
                new LocalCommunicator(communicator.name(), communicator.worldSize(), local, settings.closeTimeout()));
    }

    TuttiSettings settings() {
        return settings;
    }

    /** Asks for the facts of a rank that lives here. */
    FactsCollector facts(LocalRank rank) {
        return Objects.requireNonNull(factsByHost.get(rank.machine().settings().hostId()), "the rank lives here");
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
        drivers.close();
    }
}
