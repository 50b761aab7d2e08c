package io.tutti.gpu.rank;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Times copies from this rank's workspace into each peer's and holds the best of several to what the links promise. Stores
 * that arrive prove a path, but some arrive at a crawl. The copies leave the stages dirty. Confined to the rank's thread.
 */
final class TimedProbe {

    private static final double MEGA = 1e6;
    private static final double NANOS = 1e9;
    private static final int NANOS_PER_MICRO = 1_000;

    private final Driver driver;
    private final CuStream stream;
    private final StreamWork work;
    private final EpochMemory memory;
    private final int self;
    private final ProbeTuning tuning;
    private final long bytes;

    TimedProbe(RankMachine machine, EpochMemory memory) {
        this.driver = machine.driver();
        this.stream = machine.stream();
        this.work = machine.work();
        this.memory = memory;
        this.self = machine.rank().rank();
        this.tuning = ProbeTuning.forDriver(driver.name());
        this.bytes = tuning.bytes(memory.layout());
    }

    /**
     * Probes every peer of which something is promised. Peers that keep their promise are not tried again.
     *
     * @param promises bytes a second to each rank, 0 for no promise
     * @param factor how many times slower than promised is accepted
     * @throws TuttiException with code PREFLIGHT, both figures and both ranks, for the worst peer that stays too slow
     */
    void run(List<Long> promises, int factor, long timeoutNanos) {
        long start = System.nanoTime();
        Map<Integer, Long> best = new HashMap<>();
        List<Integer> slow = peers(promises);
        for (int attempt = 0; attempt < tuning.tries() && !slow.isEmpty(); attempt++) {
            if (attempt > 0 && System.nanoTime() - start > timeoutNanos / 2) {
                break;
            }
            time(slow, best, timeoutNanos);
            slow = slow.stream()
                    .filter(peer -> best(best, peer) > tuning.allowedNanos(bytes, promises.get(peer), factor))
                    .toList();
        }
        if (!slow.isEmpty()) {
            throw crawls(slow, best, promises, factor);
        }
    }

    /** Every rank begins with the one after it, so that no two copy to the same at once. */
    private List<Integer> peers(List<Long> promises) {
        List<Integer> peers = new ArrayList<>();
        for (int step = 1; step < promises.size(); step++) {
            int peer = (self + step) % promises.size();
            if (promises.get(peer) > 0) {
                peers.add(peer);
            }
        }
        return peers;
    }

    private void time(List<Integer> peers, Map<Integer, Long> best, long timeoutNanos) {
        try (UndoStack undo = new UndoStack()) {
            List<CuEvent> events = new ArrayList<>();
            for (int i = 0; i <= peers.size(); i++) {
                CuEvent event = driver.eventCreate();
                undo.push(() -> driver.eventDestroy(event));
                events.add(event);
            }
            driver.eventRecord(events.get(0), stream);
            for (int i = 0; i < peers.size(); i++) {
                copyTo(peers.get(i));
                driver.eventRecord(events.get(i + 1), stream);
            }
            work.synchronize(timeoutNanos);
            for (int i = 0; i < peers.size(); i++) {
                float millis = driver.eventElapsedMillis(events.get(i), events.get(i + 1));
                best.merge(peers.get(i), Math.max(1, (long) (millis * MEGA)), Math::min);
            }
        }
    }

    /** From a stage of its own into the slot that the peer keeps for this rank in another one. */
    private void copyTo(int peer) {
        WorkspaceLayout layout = memory.layout();
        long source = memory.workspaces()[self] + layout.slot(StageRegion.ONE_SHOT, 1, self);
        long destination = memory.workspaces()[peer] + layout.slot(StageRegion.ONE_SHOT, 0, self);
        driver.memcpyDtoDAsync(destination, source, bytes, stream);
    }

    private TuttiException crawls(List<Integer> slow, Map<Integer, Long> best, List<Long> promises, int factor) {
        int worst = slow.get(0);
        for (int peer : slow) {
            if (best(best, peer) > best(best, worst)) {
                worst = peer;
            }
        }
        long nanos = best(best, worst);
        String moved = megabytes(bytes * NANOS / nanos);
        String promised = megabytes(promises.get(worst));
        return new TuttiException(new ErrorInfo(
                ErrorCode.PREFLIGHT,
                self,
                null,
                null,
                "copies from rank " + self + " to rank " + worst + " crawl: moved=" + moved + " promised=" + promised
                        + " bytes=" + bytes + " bestMicros=" + nanos / NANOS_PER_MICRO + " allowedMicros="
                        + tuning.allowedNanos(bytes, promises.get(worst), factor) / NANOS_PER_MICRO + " tries="
                        + tuning.tries() + " slowPeers=" + slow,
                "Copies from rank " + self + " to rank " + worst + " move " + moved + " where the link promises "
                        + promised + ". Look at the links (nvidia-smi nvlink --status, nvidia-smi topo --matrix);"
                        + " tutti.epoch.probe-factor says how much slower is accepted."));
    }

    private static long best(Map<Integer, Long> best, int peer) {
        return best.getOrDefault(peer, Long.MAX_VALUE);
    }

    private static String megabytes(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%.1fMB/s", bytesPerSecond / MEGA);
    }
}
