package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.host.stream.Capture;
import io.tutti.gpu.host.stream.Graph;
import io.tutti.gpu.host.stream.GraphRun;
import io.tutti.gpu.host.stream.HostStream;
import io.tutti.gpu.host.stream.StreamEvent;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Streams, events, launches and graphs: handles checked, then handed to the stream. */
final class StreamCalls {

    private static final int LARGEST_STRUCT = 4096;

    /** What a block of the devices emulated here can be given. */
    private static final int LARGEST_SHARED = 227 << 10;

    private final HostProcess process;
    private final ModuleCalls modules;
    private final LinkSpeed links;
    private final HandleTable<HostStream> streams = new HandleTable<>();
    private final HandleTable<StreamEvent> events = new HandleTable<>();
    private final HandleTable<Graph> graphs = new HandleTable<>();
    private final HandleTable<GraphRun> runs = new HandleTable<>();

    StreamCalls(HostProcess process, ModuleCalls modules) {
        this.process = process;
        this.modules = modules;
        this.links = new LinkSpeed(process);
    }

    // ---- streams ----------------------------------------------------------------------------------------------

    CuStream create(String call) {
        HostDevice device = process.current(call);
        return new CuStream(streams.add(process.streams().create(device.health())));
    }

    void destroy(String call, CuStream stream) {
        HostStream removed = live(call, "stream", stream.value(), streams.remove(stream.value()));
        removed.destroy();
        checkAlive(call, removed);
    }

    boolean query(String call, CuStream stream) {
        HostStream found = uncaptured(call, stream);
        boolean idle = found.isIdle();
        checkAlive(call, found);
        return idle;
    }

    boolean synchronize(String call, CuStream stream, long timeoutNanos) {
        HostStream found = uncaptured(call, stream);
        boolean idle = found.awaitIdle(timeoutNanos);
        checkAlive(call, found);
        return idle;
    }

    /** Waiting for a stream that is being captured would wait for ever; it spoils the capture instead. */
    private HostStream uncaptured(String call, CuStream stream) {
        HostStream found = stream(call, stream);
        Capture capture = found.capture();
        if (capture != null) {
            capture.invalidate();
            throw new DriverException(call, CuResult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "capturing=true");
        }
        return found;
    }

    void copy(String call, long destination, long source, long bytes, CuStream stream) {
        HostStream found = enqueueable(call, stream);
        if (bytes < 0) {
            throw HostProcess.invalidValue(call, "bytes=" + bytes);
        }
        // Hardware looks at the addresses of copies and fills when they are enqueued.
        int device = found.device().ordinal();
        process.checkRange(call, device, "destination", destination, bytes);
        process.checkRange(call, device, "source", source, bytes);
        if (bytes > 0) {
            found.copy(destination, source, bytes, links.leastNanos(found.device(), destination, source, bytes));
        }
    }

    void fill(String call, long destination, int value, long count, CuStream stream) {
        HostStream found = enqueueable(call, stream);
        if (count < 0 || count > Long.MAX_VALUE / Integer.BYTES || destination % Integer.BYTES != 0) {
            throw HostProcess.invalidValue(call, "destination=0x" + Long.toHexString(destination) + " count=" + count);
        }
        process.checkRange(call, found.device().ordinal(), "destination", destination, count * Integer.BYTES);
        if (count > 0) {
            found.fill(destination, value, count);
        }
    }

    void launch(String call, CuFunction function, LaunchGeometry geometry, CuStream stream, ByteBuffer params) {
        HostStream found = enqueueable(call, stream);
        ModuleCalls.Function kernel = modules.function(call, function);
        if (kernel.device() != found.device().ordinal()) {
            throw HostProcess.invalidHandle(
                    call,
                    "kernelDevice=" + kernel.device() + " streamDevice="
                            + found.device().ordinal());
        }
        if (params.remaining() > LARGEST_STRUCT
                || geometry.gridBlocks() < 1
                || geometry.blockThreads() < 1
                || geometry.blockThreads() > 1024
                || geometry.sharedBytes() < 0
                || geometry.sharedBytes() > LARGEST_SHARED
                || geometry.clusterBlocks() < 0
                || geometry.gridBlocks() % Math.max(1, geometry.clusterBlocks()) != 0) {
            throw HostProcess.invalidValue(call, geometry + " parameterBytes=" + params.remaining());
        }
        found.launch(kernel.name(), kernel.code(), params);
    }

    // ---- events -----------------------------------------------------------------------------------------------

    CuEvent createEvent(String call) {
        return new CuEvent(events.add(new StreamEvent(process.current(call).health())));
    }

    void destroyEvent(String call, CuEvent event) {
        live(call, "event", event.value(), events.remove(event.value()));
        process.checkCurrentAlive(call);
    }

    void record(String call, CuEvent event, CuStream stream) {
        HostStream found = enqueueable(call, stream);
        StreamEvent recorded = event(call, event);
        if (recorded.device() != found.device()) {
            throw HostProcess.invalidHandle(
                    call,
                    "eventDevice=" + recorded.device().ordinal() + " streamDevice="
                            + found.device().ordinal());
        }
        found.record(recorded);
    }

    void await(String call, CuStream stream, CuEvent event) {
        HostStream found = enqueueable(call, stream);
        if (!found.await(event(call, event))) {
            Capture capture = found.capture();
            if (capture != null) {
                capture.invalidate();
            }
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "event=not of this stream's capture");
        }
    }

    boolean queryEvent(String call, CuEvent event) {
        process.checkCurrentAlive(call);
        StreamEvent found = uncaptured(call, event(call, event));
        boolean complete = found.isComplete();
        HostDevice device = process.device(call, found.device().ordinal());
        device.checkAlive(call);
        return complete;
    }

    float elapsed(String call, CuEvent start, CuEvent end) {
        StreamEvent from = uncaptured(call, event(call, start));
        StreamEvent to = uncaptured(call, event(call, end));
        if (!from.everRecorded() || !to.everRecorded()) {
            throw HostProcess.invalidHandle(call, "recorded=false");
        }
        if (!from.isComplete() || !to.isComplete()) {
            throw new DriverException(call, CuResult.CUDA_ERROR_NOT_READY, "complete=false");
        }
        return (to.nanos() - from.nanos()) / 1e6f;
    }

    private static StreamEvent uncaptured(String call, StreamEvent event) {
        if (event.capture() != null) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "event=recorded in a capture");
        }
        return event;
    }

    // ---- graphs -----------------------------------------------------------------------------------------------

    boolean isCapturing(String call, CuStream stream) {
        return stream(call, stream).capture() != null;
    }

    void beginCapture(String call, CuStream stream) {
        if (!enqueueable(call, stream).beginCapture()) {
            throw new DriverException(call, CuResult.CUDA_ERROR_ILLEGAL_STATE, "capturing=true");
        }
    }

    CuGraph endCapture(String call, CuStream stream) {
        HostStream found = stream(call, stream);
        if (!found.beganCapture()) {
            throw new DriverException(call, CuResult.CUDA_ERROR_ILLEGAL_STATE, "capturing=false");
        }
        Graph graph = found.endCapture();
        if (graph == null) {
            throw new DriverException(
                    call, CuResult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "an earlier call broke the capture");
        }
        return new CuGraph(graphs.add(graph));
    }

    CuGraphExec instantiate(String call, CuGraph graph) {
        process.checkCurrentAlive(call);
        Graph found = known(call, "graph", graph.value(), graphs.get(graph.value()));
        return new CuGraphExec(runs.add(found.instantiate()));
    }

    void destroyGraph(String call, CuGraph graph) {
        known(call, "graph", graph.value(), graphs.remove(graph.value()));
    }

    void destroyRun(String call, CuGraphExec exec) {
        known(call, "graphExec", exec.value(), runs.remove(exec.value()));
    }

    void launch(String call, CuGraphExec exec, CuStream stream) {
        HostStream found = enqueueable(call, stream);
        GraphRun run = known(call, "graphExec", exec.value(), runs.get(exec.value()));
        if (run.device() != found.device()) {
            throw HostProcess.invalidHandle(
                    call,
                    "graphDevice=" + run.device().ordinal() + " streamDevice="
                            + found.device().ordinal());
        }
        found.launch(run);
    }

    // ---- lookups ----------------------------------------------------------------------------------------------

    private HostStream stream(String call, CuStream stream) {
        return live(call, "stream", stream.value(), streams.get(stream.value()));
    }

    private StreamEvent event(String call, CuEvent event) {
        return live(call, "event", event.value(), events.get(event.value()));
    }

    /** A stream whose context is alive: the current one, where there is one. */
    private HostStream enqueueable(String call, CuStream stream) {
        HostStream found = stream(call, stream);
        checkAlive(call, found);
        HostDevice device = process.currentOrNull();
        if (device != null && found.device() != device.health()) {
            throw HostProcess.invalidHandle(
                    call, "streamDevice=" + found.device().ordinal() + " currentDevice=" + device.ordinal());
        }
        return found;
    }

    private void checkAlive(String call, HostStream stream) {
        process.device(call, stream.device().ordinal()).checkAlive(call);
    }

    private static <T> T live(String call, String kind, long handle, @Nullable T object) {
        return live(call, CuResult.CUDA_ERROR_INVALID_HANDLE, kind, handle, object);
    }

    /** Of graphs: hardware does not take theirs for handles of the wrong kind. */
    private static <T> T known(String call, String kind, long handle, @Nullable T object) {
        return live(call, CuResult.CUDA_ERROR_INVALID_VALUE, kind, handle, object);
    }

    private static <T> T live(String call, CuResult otherwise, String kind, long handle, @Nullable T object) {
        if (object == null) {
            throw new DriverException(call, otherwise, kind + "=0x" + Long.toHexString(handle) + " live=false");
        }
        return object;
    }

    void count(Map<String, Long> live) {
        live.put("stream", streams.size());
        live.put("event", events.size());
        live.put("graph", graphs.size());
        live.put("graph-exec", runs.size());
    }
}
