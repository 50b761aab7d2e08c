package io.tutti.actors.internal;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.process.LocalService;
import io.tutti.gpu.process.PeerLinks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the processes of one rank's peers for as long as an epoch is held. A death is told at once and on
 * the watching thread, in which abort words can be set. Confined to the rank's thread, but for the listener.
 */
final class PeerWatch implements AutoCloseable {

    private final LocalService service;
    private final Duration timeout;
    private final BiConsumer<EpochId, ErrorInfo> onDeath;
    private @Nullable PeerLinks links;

    /**
     * @param timeout for linking to all peers
     * @param onDeath hears the epoch and an error that names a rank of the dead process
     */
    PeerWatch(LocalService service, Duration timeout, BiConsumer<EpochId, ErrorInfo> onDeath) {
        this.service = service;
        this.timeout = timeout;
        this.onDeath = onDeath;
    }

    /** Watches the processes of these ranks that are on this machine and not this one. */
    void watch(EpochId epoch, List<RankFacts> ranks, String hostId) {
        close();
        List<String> peers = ranks.stream()
                .filter(rank -> HostIdentity.sameMachine(rank.hostId(), hostId))
                .map(RankFacts::processId)
                .distinct()
                .toList();
        links = PeerLinks.open(service, peers, timeout, processId -> died(epoch, ranks, processId));
    }

    private void died(EpochId epoch, List<RankFacts> ranks, String processId) {
        Optional<RankFacts> first = ranks.stream()
                .filter(rank -> rank.processId().equals(processId))
                .findFirst();
        first.ifPresent(rank -> onDeath.accept(epoch, LostRank.linkBroken(rank.rank(), processId)));
    }

    @Override
    public void close() {
        if (links != null) {
            links.close();
            links = null;
        }
    }
}
