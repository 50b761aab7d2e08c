package io.tutti.actors.internal;

import io.tutti.actors.api.UserGraph;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.rank.CallerGraph;
import java.util.concurrent.CompletionStage;

/** A user's graph, whose calls keep the rank's order. */
final class LocalGraph implements UserGraph {

    private final LocalRank rank;
    private final CallerGraph graph;

    LocalGraph(LocalRank rank, CallerGraph graph) {
        this.rank = rank;
        this.graph = graph;
    }

    @Override
    public void allReduce(FusedAllReduce request, CuStream stream) {
        rank.now(() -> {
            graph.add(request, stream);
            return true;
        });
    }

    @Override
    public void captured() {
        graph.captured();
    }

    @Override
    public boolean isStale() {
        return graph.isStale();
    }

    @Override
    public CompletionStage<Completion> launch(CuStream stream, Runnable graphLaunch) {
        return rank.now(() -> graph.launch(stream, graphLaunch));
    }

    @Override
    public void close() {
        graph.close();
    }
}
