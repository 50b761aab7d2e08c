package io.tutti.benchmarks.measure;

import io.tutti.actors.api.CapturedCalls;
import io.tutti.actors.api.Rank;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What one rank launches again and again.
 *
 * @param again launches once
 * @param operations of one launch
 * @param ahead launches that are under way at a time
 */
record RankLaunch(Supplier<CompletionStage<Completion>> again, int operations, int ahead) {

    /** One call, made when the one before has completed: what a caller waits for. */
    static RankLaunch single(Rank rank, FusedAllReduce request) {
        return new RankLaunch(() -> rank.allReduce(request), 1, 1);
    }

    /** A graph, enqueued while the one before runs: operations back to back, which is what a model's layers are. */
    static RankLaunch graph(CapturedCalls graph) {
        return new RankLaunch(graph::replay, graph.calls().size(), 2);
    }
}
