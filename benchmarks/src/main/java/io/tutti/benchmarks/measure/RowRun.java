package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.peer.Peer;
import io.tutti.benchmarks.peer.PeerRequest;
import io.tutti.benchmarks.stats.Samples;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Measures one shape: ours and every peer that can do it, taking turns. Used once. */
final class RowRun {

    private static final Duration PEER_MARGIN = Duration.ofSeconds(60);

    /** No side is as slow as this, however busy the machine; an operation that takes longer is stuck. */
    private static final Duration SLOWEST_OPERATION = Duration.ofSeconds(2);

    private final OurRanks ranks;
    private final BenchRequest request;
    private final OperationShape shape;
    private final Duration operationLimit;
    private final int graph;
    private final Effort effort;
    private final PeerDesk desk;
    private final Progress progress;
    private final Map<String, Samples> peers = new TreeMap<>();

    RowRun(
            OurRanks ranks,
            BenchRequest request,
            OperationShape shape,
            Duration operationLimit,
            PeerDesk desk,
            Progress progress) {
        this.ranks = ranks;
        this.request = request;
        this.shape = shape;
        this.operationLimit = operationLimit;
        this.graph = request.setting().graph().of(shape.bytes());
        this.effort = Effort.of(request.iterations(), shape.bytes(), Math.max(1, graph));
        this.desk = desk;
        this.progress = progress;
    }

    BenchRow run() {
        ranks.load(shape);
        warmUp();
        List<Burst> bursts = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            progress.at("measuring " + shape.describe() + ": rounds", round, effort.rounds());
            if (round == effort.rounds() - 1) {
                ranks.poison();
            }
            bursts.add(burst(effort.warmUpOf(round), effort.launchesOf(round)));
            measurePeers(round);
        }
        return row(bursts, ranks.judge());
    }

    private void warmUp() {
        long end = System.nanoTime() + Effort.FIRST_WARM_UP.toNanos();
        int each = effort.launchesOf(0);
        long operations = (long) each * effort.together();
        for (long done = 0; done < Effort.FIRST_WARM_UP_OPERATIONS && System.nanoTime() < end; done += operations) {
            burst(0, each);
        }
    }

    private Burst burst(int warmUp, int launches) {
        Duration limit =
                operationLimit.plus(SLOWEST_OPERATION.multipliedBy(((long) warmUp + launches) * effort.together()));
        return ranks.burst(warmUp, launches, limit);
    }

    private void measurePeers(int round) {
        PeerRequest asked = new PeerRequest(
                shape.tokens(),
                shape.hidden(),
                shape.dtype(),
                request.setting().epilogue(),
                effort.launchesOf(round) * effort.together(),
                effort.warmUpOf(round) * effort.together());
        Duration limit = PEER_MARGIN.plus(SLOWEST_OPERATION.multipliedBy((long) asked.warmUp() + asked.iterations()));
        for (Peer peer : desk.able(asked)) {
            Samples samples = desk.measure(peer, asked, limit);
            if (samples == null) {
                peers.remove(peer.name());
            } else {
                peers.merge(peer.name(), samples.means(effort.together()), Samples::and);
            }
        }
    }

    private BenchRow row(List<Burst> bursts, long wrong) {
        Samples ours = bursts.stream().map(Burst::slowest).reduce(Samples.NONE, Samples::and);
        Burst last = bursts.get(bursts.size() - 1);
        Map<String, Double> medians = new TreeMap<>();
        peers.forEach((name, samples) -> medians.put(name, samples.medianMicros()));
        return new BenchRow(
                shape,
                request.setting().epilogue(),
                ranks.worldSize(),
                last.path(),
                last.algorithm(),
                graph,
                ours.medianMicros(),
                ours.p99Micros(),
                wrong,
                medians);
    }
}
