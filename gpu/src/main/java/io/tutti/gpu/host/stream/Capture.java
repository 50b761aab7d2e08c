package io.tutti.gpu.host.stream;

import java.util.ArrayList;
import java.util.List;

/**
 * What streams enqueue while they are being captured, in the order of the calls. A stream that waits for an event of the
 * capture joins it. The order of the calls satisfies every dependency, so a graph here is a sequence.
 */
public final class Capture {

    private final HostStream origin;
    private final List<Command> nodes = new ArrayList<>();
    private final List<HostStream> streams = new ArrayList<>();
    private boolean invalidated;

    Capture(HostStream origin) {
        this.origin = origin;
        streams.add(origin);
    }

    HostStream origin() {
        return origin;
    }

    synchronized Command append() {
        Command node = new Command();
        nodes.add(node);
        return node;
    }

    synchronized void appendAll(List<Command> more) {
        nodes.addAll(more);
    }

    synchronized void join(HostStream stream) {
        streams.add(stream);
    }

    /** A call that is not allowed during a capture spoils it. */
    public synchronized void invalidate() {
        invalidated = true;
    }

    synchronized boolean isInvalidated() {
        return invalidated;
    }

    synchronized List<HostStream> streams() {
        return List.copyOf(streams);
    }

    synchronized Graph graph() {
        return new Graph(origin.device(), List.copyOf(nodes));
    }
}
