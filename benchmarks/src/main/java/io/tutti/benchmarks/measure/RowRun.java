package io.tutti.benchmarks.measure;

import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.benchmarks.peer.Peer;
import io.tutti.benchmarks.peer.PeerRequest;
import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.op.Completion;
import io.tutti.launcher.input.InputTensors;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.input.SeededTensors;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RankTensors;
import io.tutti.launcher.run.ResultCheck;
import io.tutti.launcher.run.Waits;
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

    private final Communicator communicator;
    private final BenchRequest request;
    private final OperationShape shape;
    private final Duration operationLimit;
    private final Effort effort;
    private final PeerDesk desk;
    private final Waits waits;
    private final Progress progress;
    private final List<RankTensors> ranks = new ArrayList<>();
    private final Map<String, Samples> peers = new TreeMap<>();

    RowRun(
            Communicator communicator,
            BenchRequest request,
            OperationShape shape,
            Duration operationLimit,
            PeerDesk desk,
            Waits waits,
            Progress progress) {
        this.communicator = communicator;
        this.request = request;
        this.shape = shape;
        this.operationLimit = operationLimit;
        this.effort = Effort.of(request.iterations(), shape.bytes());
        this.desk = desk;
        this.waits = waits;
        this.progress = progress;
    }

    BenchRow run() {
        InputTensors inputs = new SeededTensors(communicator.worldSize(), shape, request.seed());
        Operation operation = new Operation(request.epilogue(), request.eps(), effort.iterations());
        MeasureLoop loop = new MeasureLoop(ranks, waits);
        try {
            for (Rank rank : communicator.localRanks()) {
                ranks.add(RankTensors.load(rank, inputs, operation, waits));
            }
            warmUp(loop);
            List<Burst> bursts = new ArrayList<>();
            for (int round = 0; round < effort.rounds(); round++) {
                progress.at("measuring " + shape.describe() + ": rounds", round, effort.rounds());
                if (round == effort.rounds() - 1) {
                    ranks.forEach(rank -> rank.poison(waits));
                }
                bursts.add(burst(loop, effort.warmUpOf(round), effort.iterationsOf(round)));
                measurePeers(round);
            }
            long wrong = new ResultCheck(communicator.name(), inputs, operation)
                    .judge(ranks, waits, progress)
                    .wrongElements();
            return row(bursts, wrong);
        } finally {
            // A kernel that is still running writes to these; the runtime's own close is what ends it.
            if (loop.settled()) {
                ranks.forEach(RankTensors::close);
            }
        }
    }

    private void warmUp(MeasureLoop loop) {
        long end = System.nanoTime() + Effort.FIRST_WARM_UP.toNanos();
        int each = effort.iterationsOf(0);
        for (int done = 0; done < Effort.FIRST_WARM_UP_OPERATIONS && System.nanoTime() < end; done += each) {
            burst(loop, 0, each);
        }
    }

    private Burst burst(MeasureLoop loop, int warmUp, int iterations) {
        Duration limit = operationLimit.plus(SLOWEST_OPERATION.multipliedBy((long) warmUp + iterations));
        return loop.run(
                warmUp,
                iterations,
                limit,
                warmUp + iterations + " operations of " + shape.describe() + " on communicator " + communicator.name());
    }

    private void measurePeers(int round) {
        PeerRequest asked = new PeerRequest(
                shape.tokens(),
                shape.hidden(),
                shape.dtype(),
                request.epilogue(),
                effort.iterationsOf(round),
                effort.warmUpOf(round));
        Duration limit = PEER_MARGIN.plus(SLOWEST_OPERATION.multipliedBy((long) asked.warmUp() + asked.iterations()));
        for (Peer peer : desk.able(asked)) {
            Samples samples = desk.measure(peer, asked, limit);
            if (samples == null) {
                peers.remove(peer.name());
            } else {
                peers.merge(peer.name(), samples, Samples::and);
            }
        }
    }

    private BenchRow row(List<Burst> bursts, long wrong) {
        Samples ours = bursts.stream().map(Burst::slowest).reduce(Samples.NONE, Samples::and);
        Completion last = bursts.get(bursts.size() - 1).last();
        Map<String, Double> medians = new TreeMap<>();
        peers.forEach((name, samples) -> medians.put(name, samples.medianMicros()));
        return new BenchRow(
                shape,
                request.epilogue(),
                communicator.worldSize(),
                last.path(),
                last.algorithm(),
                ours.medianMicros(),
                ours.p99Micros(),
                wrong,
                medians);
    }
}
