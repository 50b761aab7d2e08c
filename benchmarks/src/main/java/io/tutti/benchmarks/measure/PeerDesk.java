package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.peer.Peer;
import io.tutti.benchmarks.peer.PeerException;
import io.tutti.benchmarks.peer.PeerOpening;
import io.tutti.benchmarks.peer.PeerRequest;
import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The peers of one run. One that is absent, dies, hangs or errs is reported once and left out from then on; it never makes
 * the run fail. Confined to one thread.
 */
public final class PeerDesk implements AutoCloseable {

    private final List<Peer> peers = new ArrayList<>();
    private final Waits waits;
    private final Consumer<String> notes;

    /** @param notes takes a line for people about each peer that is left out */
    public PeerDesk(Waits waits, Consumer<String> notes) {
        this.waits = waits;
        this.notes = notes;
    }

    /** Takes a peer in, or says why it is not there. */
    public void add(PeerOpening opening) {
        if (opening instanceof PeerOpening.Opened opened) {
            peers.add(opened.peer());
        } else if (opening instanceof PeerOpening.Absent absent) {
            notes.accept("the peer " + absent.name() + " is left out: " + absent.reason());
        }
    }

    /** The peers that can be measured so far. */
    public List<String> names() {
        return peers.stream().map(Peer::name).toList();
    }

    /** Those that can do what is asked. */
    List<Peer> able(PeerRequest request) {
        return peers.stream().filter(peer -> peer.supports(request)).toList();
    }

    /** What a peer answered: samples, or the reason why there are none. */
    private record Answer(
            @Nullable Samples samples, @Nullable Throwable failure) {}

    /**
     * Has one peer measured.
     *
     * @return its samples; null when it failed, which has been noted then and it is closed
     * @throws TuttiException with code ABORTED when the run was stopped
     */
    @Nullable
    Samples measure(Peer peer, PeerRequest request, Duration limit) {
        String reason;
        try {
            Answer answer = waits.await(
                    peer.measure(request).handle(Answer::new), limit, "the peer " + peer.name() + " to answer");
            if (answer.samples() != null) {
                return answer.samples();
            }
            reason = reason(answer.failure());
        } catch (TuttiException e) {
            if (e.code() != ErrorCode.TIMEOUT) {
                throw e;
            }
            reason = "it did not answer within " + limit.toSeconds() + " s";
        }
        peers.remove(peer);
        peer.close();
        notes.accept("the peer " + peer.name() + " is left out from here on: " + reason);
        return null;
    }

    private static String reason(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof PeerException ? String.valueOf(cause.getMessage()) : "it failed: " + cause;
    }

    @Override
    public void close() {
        peers.forEach(Peer::close);
    }
}
