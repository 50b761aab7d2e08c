package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaFlags;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;

/** Streams, events and graphs. */
final class StreamCalls {

    private final Session session;

    StreamCalls(Session session) {
        this.session = session;
    }

    // ---- streams ----------------------------------------------------------------------------------------------

    CuStream create() {
        long[] stream = new long[1];
        session.checkRelaxed(
                "cuStreamCreate",
                () -> session.calls().cuStreamCreate(stream, CudaFlags.STREAM_NON_BLOCKING),
                () -> "");
        session.added(Session.Kind.STREAM);
        return new CuStream(stream[0]);
    }

    void destroy(CuStream stream) {
        session.checkRelaxed(
                "cuStreamDestroy", () -> session.calls().cuStreamDestroy(stream.value()), () -> describe(stream));
        session.removed(Session.Kind.STREAM);
    }

    boolean query(CuStream stream) {
        return StreamWait.isDone(session, "cuStreamQuery", stream.value());
    }

    boolean synchronize(CuStream stream, long timeoutNanos) {
        return StreamWait.await(session, "cuStreamSynchronize", stream.value(), timeoutNanos);
    }

    void await(CuStream stream, CuEvent event) {
        session.check(
                "cuStreamWaitEvent",
                session.calls().cuStreamWaitEvent(stream.value(), event.value(), 0),
                () -> describe(stream) + " " + describe(event));
    }

    // ---- events -----------------------------------------------------------------------------------------------

    CuEvent createEvent() {
        long[] event = new long[1];
        session.checkRelaxed(
                "cuEventCreate", () -> session.calls().cuEventCreate(event, CudaFlags.EVENT_DEFAULT), () -> "");
        session.added(Session.Kind.EVENT);
        return new CuEvent(event[0]);
    }

    void destroyEvent(CuEvent event) {
        session.checkRelaxed(
                "cuEventDestroy", () -> session.calls().cuEventDestroy(event.value()), () -> describe(event));
        session.removed(Session.Kind.EVENT);
    }

    void record(CuEvent event, CuStream stream) {
        session.check(
                "cuEventRecord",
                session.calls().cuEventRecord(event.value(), stream.value()),
                () -> describe(event) + " " + describe(stream));
    }

    boolean queryEvent(CuEvent event) {
        int code = session.relaxed(() -> session.calls().cuEventQuery(event.value()));
        if (code == CuResult.CUDA_ERROR_NOT_READY.code()) {
            return false;
        }
        session.check("cuEventQuery", code, () -> describe(event));
        return true;
    }

    float elapsedMillis(CuEvent start, CuEvent end) {
        float[] milliseconds = new float[1];
        session.checkRelaxed(
                "cuEventElapsedTime",
                () -> session.calls().cuEventElapsedTime(milliseconds, start.value(), end.value()),
                () -> describe(start) + " " + describe(end));
        return milliseconds[0];
    }

    // ---- graphs -----------------------------------------------------------------------------------------------

    boolean isCapturing(CuStream stream) {
        int[] status = new int[1];
        session.check(
                "cuStreamIsCapturing",
                session.calls().cuStreamIsCapturing(stream.value(), status),
                () -> describe(stream));
        return status[0] != CudaFlags.CAPTURE_STATUS_NONE;
    }

    void beginCapture(CuStream stream) {
        session.check(
                "cuStreamBeginCapture",
                session.calls().cuStreamBeginCapture(stream.value(), CudaFlags.CAPTURE_MODE_RELAXED),
                () -> describe(stream));
    }

    CuGraph endCapture(CuStream stream) {
        long[] graph = new long[1];
        session.check(
                "cuStreamEndCapture",
                session.calls().cuStreamEndCapture(stream.value(), graph),
                () -> describe(stream));
        session.added(Session.Kind.GRAPH);
        return new CuGraph(graph[0]);
    }

    CuGraphExec instantiate(CuGraph graph) {
        long[] exec = new long[1];
        session.checkRelaxed(
                "cuGraphInstantiate",
                () -> session.calls().cuGraphInstantiate(exec, graph.value(), 0),
                () -> Session.hex("graph", graph.value()));
        session.added(Session.Kind.GRAPH_EXEC);
        return new CuGraphExec(exec[0]);
    }

    void destroyGraph(CuGraph graph) {
        session.check(
                "cuGraphDestroy",
                session.calls().cuGraphDestroy(graph.value()),
                () -> Session.hex("graph", graph.value()));
        session.removed(Session.Kind.GRAPH);
    }

    void destroyExec(CuGraphExec exec) {
        session.checkRelaxed(
                "cuGraphExecDestroy",
                () -> session.calls().cuGraphExecDestroy(exec.value()),
                () -> Session.hex("exec", exec.value()));
        session.removed(Session.Kind.GRAPH_EXEC);
    }

    void launch(CuGraphExec exec, CuStream stream) {
        session.check(
                "cuGraphLaunch",
                session.calls().cuGraphLaunch(exec.value(), stream.value()),
                () -> Session.hex("exec", exec.value()) + " " + describe(stream));
    }

    private static String describe(CuStream stream) {
        return Session.hex("stream", stream.value());
    }

    private static String describe(CuEvent event) {
        return Session.hex("event", event.value());
    }
}
