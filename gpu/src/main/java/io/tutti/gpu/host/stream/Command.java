package io.tutti.gpu.host.stream;

import io.tutti.gpu.host.execution.HostKernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a stream's queue or one node of a graph. Queue entries are used again and again, so that a launch leaves
 * no garbage; what a kind does not need keeps its old value.
 */
final class Command {

    enum Kind {
        KERNEL,
        COPY,
        FILL,
        RECORD,
        WAIT,
        GRAPH
    }

    private static final int FIRST_PARAMETER_BYTES = 256;
    private static final ByteBuffer NO_PARAMETERS = ByteBuffer.allocate(0);

    Kind kind = Kind.KERNEL;

    @Nullable
    HostKernel kernel;

    String kernelName = "";
    private ByteBuffer parameters = NO_PARAMETERS;
    private int parameterBytes;
    long destination;
    long source;
    long count;
    long leastNanos;

    @Nullable
    StreamEvent event;

    @Nullable
    GraphRun graph;

    long sequence;

    void kernel(String name, HostKernel code, ByteBuffer struct) {
        kind = Kind.KERNEL;
        kernel = code;
        kernelName = name;
        parameterBytes = struct.remaining();
        if (parameters.capacity() < parameterBytes) {
            parameters = ByteBuffer.allocate(Math.max(FIRST_PARAMETER_BYTES, parameterBytes))
                    .order(ByteOrder.nativeOrder());
        }
        parameters.clear().put(0, struct, struct.position(), parameterBytes);
    }

    /** The parameters, from 0 to the end of the struct, whatever an earlier run did to the position. */
    ByteBuffer parameters() {
        return parameters.limit(parameterBytes).position(0);
    }

    /** @param nanos what it takes at least, for a link that crawls */
    void copy(long to, long from, long bytes, long nanos) {
        kind = Kind.COPY;
        leastNanos = nanos;
        destination = to;
        source = from;
        count = bytes;
    }

    void fill(long to, int value, long words) {
        kind = Kind.FILL;
        destination = to;
        source = value;
        count = words;
    }

    void record(StreamEvent recorded, long recordSequence) {
        kind = Kind.RECORD;
        event = recorded;
        sequence = recordSequence;
    }

    void await(StreamEvent awaited, long recordSequence) {
        kind = Kind.WAIT;
        event = awaited;
        sequence = recordSequence;
    }

    void graph(GraphRun run, long runSequence) {
        kind = Kind.GRAPH;
        graph = run;
        sequence = runSequence;
    }

    /** A command of its own that does the same, with its own copy of the parameters. */
    Command copy() {
        Command copy = new Command();
        copy.kind = kind;
        copy.destination = destination;
        copy.source = source;
        copy.count = count;
        copy.leastNanos = leastNanos;
        if (kind == Kind.KERNEL && kernel != null) {
            copy.kernel(kernelName, kernel, parameters());
        }
        return copy;
    }

    /** Lets go of what would otherwise be kept alive until the entry is used again. */
    void forget() {
        event = null;
        graph = null;
    }

    /** The command as {@code name=value} pairs, for the report of a failure. */
    String describe() {
        return switch (kind) {
            case KERNEL -> "kernel=" + kernelName;
            case COPY ->
                "copy=deviceToDevice destination=0x" + Long.toHexString(destination) + " source=0x"
                        + Long.toHexString(source) + " bytes=" + count;
            case FILL -> "fill=words destination=0x" + Long.toHexString(destination) + " count=" + count;
            case RECORD, WAIT -> "event=" + kind;
            case GRAPH -> "graph=replay";
        };
    }
}
