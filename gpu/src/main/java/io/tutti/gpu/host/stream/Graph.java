package io.tutti.gpu.host.stream;

import java.util.List;

/** A captured sequence, immutable. Its parameters are those of the captured calls, by value. */
public final class Graph {

    private final DeviceHealth device;
    private final List<Command> nodes;

    Graph(DeviceHealth device, List<Command> nodes) {
        this.device = device;
        this.nodes = nodes;
    }

    public DeviceHealth device() {
        return device;
    }

    List<Command> nodes() {
        return nodes;
    }

    public int size() {
        return nodes.size();
    }

    /** A form that can be launched. */
    public GraphRun instantiate() {
        return new GraphRun(this);
    }
}
