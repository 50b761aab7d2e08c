package io.tutti.gpu.host.stream;

/**
 * An executable graph. Launches of one run one after another, in the order of the launches, whatever streams they are on:
 * they share the nodes. Thread-safe.
 */
public final class GraphRun {

    private final Graph graph;
    private final Command[] nodes;
    private long launched;
    private volatile long finished;

    GraphRun(Graph graph) {
        this.graph = graph;
        this.nodes = graph.nodes().stream().map(Command::copy).toArray(Command[]::new);
    }

    public DeviceHealth device() {
        return graph.device();
    }

    Graph graph() {
        return graph;
    }

    Command[] nodes() {
        return nodes;
    }

    synchronized long nextLaunch() {
        return ++launched;
    }

    boolean isTurnOf(long launch) {
        return finished == launch - 1;
    }

    void finish(long launch) {
        finished = launch;
    }
}
