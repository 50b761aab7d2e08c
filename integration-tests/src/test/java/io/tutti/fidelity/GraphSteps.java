package io.tutti.fidelity;

import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.LaunchGeometry;
import java.util.ArrayList;
import java.util.List;

/** Captures and graphs: what spoils a capture, what joins one, and what may be launched. */
final class GraphSteps {

    private static final String BEGIN = "cuStreamBeginCapture";
    private static final String END = "cuStreamEndCapture";
    private static final String LAUNCH = "cuGraphLaunch";

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        GraphSteps script = new GraphSteps();
        script.ends();
        script.spoilers();
        script.allowedInCapture();
        script.severalStreams();
        script.events();
        script.graphs();
        script.destroyed();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void ends() {
        add(Step.of("end-without-begin", END, "a stream that captures nothing", b -> {
            CuStream stream = b.stream();
            return b.ask(() -> b.driver().streamEndCapture(stream));
        }));
        add(Step.of("begin-twice", BEGIN, "a stream that is being captured", b -> {
            CuStream stream = b.capturing();
            return b.ask(() -> b.driver().streamBeginCapture(stream));
        }));
        add(Step.of("end-after-begin-twice", END, "after a refused second begin", b -> {
            CuStream stream = b.capturing();
            b.ask(() -> b.driver().streamBeginCapture(stream));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("end-empty", END, "nothing was captured", b -> {
            CuStream stream = b.capturing();
            return b.ask(() -> b.ended(stream));
        }));
    }

    private void spoilers() {
        add(Step.of("query-capturing-stream", "cuStreamQuery", "a stream that is being captured", b -> {
            CuStream stream = b.capturing();
            return b.ask(() -> b.driver().streamQuery(stream));
        }));
        add(Step.of("synchronize-capturing-stream", "cuStreamSynchronize", "a stream that is being captured", b -> {
            CuStream stream = b.capturing();
            return b.ask(() -> b.driver().streamSynchronize(stream, 1_000_000));
        }));
        add(Step.of("end-after-query", END, "the stream was asked whether it is done", b -> {
            CuStream stream = b.capturing();
            b.ask(() -> b.driver().streamQuery(stream));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("use-after-query", "cuMemsetD32Async", "in a capture that was spoilt", b -> {
            long word = b.plain(64);
            CuStream stream = b.capturing();
            b.ask(() -> b.driver().streamQuery(stream));
            return b.ask(() -> b.driver().memsetD32Async(word, 1, 1, stream));
        }));
        add(Step.of("begin-after-spoilt", BEGIN, "once a spoilt capture has been ended", b -> {
            CuStream stream = b.capturing();
            b.ask(() -> b.driver().streamQuery(stream));
            b.ask(() -> b.driver().streamEndCapture(stream));
            return b.ask(() -> b.driver().streamBeginCapture(stream));
        }));
        add(Step.of("destroy-capturing-stream", "cuStreamDestroy", "a stream that is being captured", b -> {
                    CuStream stream = b.driver().streamCreate();
                    b.driver().streamBeginCapture(stream);
                    return b.ask(() -> b.driver().streamDestroy(stream));
                })
                .alone());
    }

    private void allowedInCapture() {
        add(Step.of("alloc-in-capture", "cuMemAlloc", "while a stream is being captured", b -> {
            b.capturing();
            return b.ask(() -> b.plain(64));
        }));
        add(Step.of("copy-in-capture", "cuMemcpyHtoD", "while a stream is being captured", b -> {
            long word = b.plain(64);
            b.capturing();
            return b.ask(() -> b.driver().memcpyHtoD(word, Bench.bytes(4)));
        }));
        add(Step.of("query-other-stream-in-capture", "cuStreamQuery", "a stream beside the captured one", b -> {
            CuStream other = b.stream();
            b.capturing();
            return b.askFor(() -> b.driver().streamQuery(other));
        }));
        add(Step.of("capture-runs-nothing", END, "a captured fill: the word is still", b -> {
            long word = b.plain(64);
            b.driver().memcpyHtoD(word, Bench.bytes(4).putInt(0, 1));
            CuStream stream = b.capturing();
            return b.askFor(() -> {
                b.driver().memsetD32Async(word, 2, 1, stream);
                b.ended(stream);
                return b.word(word);
            });
        }));
        add(Step.of("bad-launch-in-capture", END, "after a refused launch of 2,048 threads", b -> {
            var store = b.kernel(Bench.STORE);
            long word = b.plain(64);
            CuStream stream = b.capturing();
            b.ask(() -> b.driver()
                    .launchKernel(store, new LaunchGeometry(1, 2048, 1, 0, false), stream, Bench.params(word, 1)));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("launch-graph-in-capture", LAUNCH, "on a stream that is being captured", b -> {
            CuGraphExec exec = b.executable(b.graph());
            CuStream stream = b.capturing();
            return b.ask(() -> b.driver().graphLaunch(exec, stream));
        }));
    }

    private void severalStreams() {
        add(Step.of("end-unjoined", END, "another stream joined and did not come back", b -> {
            CuStream stream = b.capturing();
            fork(b, stream);
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("end-unjoined-idle", END, "another stream joined, captured nothing and did not come back", b -> {
            CuStream stream = b.capturing();
            b.driver().streamWaitEvent(b.stream(), b.recorded(stream));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("end-joined", END, "another stream joined and came back", b -> {
            CuStream stream = b.capturing();
            CuStream other = fork(b, stream);
            b.driver().streamWaitEvent(stream, b.recorded(other));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("end-on-joined", END, "on a stream that only joined", b -> {
            CuStream stream = b.capturing();
            CuStream other = fork(b, stream);
            return b.ask(() -> b.ended(other));
        }));
        add(Step.of("end-after-end-on-joined", END, "after a refused end on a stream that only joined", b -> {
            CuStream stream = b.capturing();
            CuStream other = fork(b, stream);
            b.driver().streamWaitEvent(stream, b.recorded(other));
            b.ask(() -> b.ended(other));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("begin-on-joined", BEGIN, "on a stream that joined a capture", b -> {
            CuStream other = fork(b, b.capturing());
            return b.ask(() -> b.driver().streamBeginCapture(other));
        }));
        add(Step.of("query-joined", "cuStreamQuery", "a stream that joined a capture", b -> {
            CuStream other = fork(b, b.capturing());
            return b.ask(() -> b.driver().streamQuery(other));
        }));
        add(Step.of("wait-merges-captures", "cuStreamWaitEvent", "an event of another capture", b -> {
            CuEvent other = b.recorded(b.capturing());
            CuStream stream = b.capturing();
            return b.ask(() -> b.driver().streamWaitEvent(stream, other));
        }));
    }

    /** A stream that has joined the capture and added to it. */
    private static CuStream fork(Bench b, CuStream capturing) {
        long word = b.plain(64);
        CuStream other = b.stream();
        b.driver().streamWaitEvent(other, b.recorded(capturing));
        b.driver().memsetD32Async(word, 1, 1, other);
        return other;
    }

    private void events() {
        add(Step.of(
                "wait-for-event-outside", "cuStreamWaitEvent", "in a capture, for an event recorded before it", b -> {
                    CuEvent before = b.recorded(b.stream());
                    CuStream stream = b.capturing();
                    return b.ask(() -> b.driver().streamWaitEvent(stream, before));
                }));
        add(Step.of("end-after-wait-outside", END, "after a wait for an event recorded before it", b -> {
            CuEvent before = b.recorded(b.stream());
            CuStream stream = b.capturing();
            b.ask(() -> b.driver().streamWaitEvent(stream, before));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of(
                "wait-for-new-event-in-capture",
                "cuStreamWaitEvent",
                "in a capture, for an event never recorded",
                b -> {
                    CuStream stream = b.capturing();
                    CuEvent event = b.event();
                    return b.ask(() -> b.driver().streamWaitEvent(stream, event));
                }));
        add(Step.of("query-captured-event", "cuEventQuery", "an event recorded in a capture", b -> {
            CuEvent event = b.recorded(b.capturing());
            return b.ask(() -> b.driver().eventQuery(event));
        }));
        add(Step.of("end-after-event-query", END, "an event of the capture was asked", b -> {
            CuStream stream = b.capturing();
            CuEvent event = b.recorded(stream);
            b.ask(() -> b.driver().eventQuery(event));
            return b.ask(() -> b.ended(stream));
        }));
        add(Step.of("query-event-after-capture", "cuEventQuery", "an event recorded in a capture that has ended", b -> {
            CuStream stream = b.capturing();
            CuEvent event = b.recorded(stream);
            b.ended(stream);
            return b.ask(() -> b.driver().eventQuery(event));
        }));
        add(Step.of("wait-for-event-after-capture", "cuStreamWaitEvent", "an event of a capture that has ended", b -> {
            CuStream stream = b.capturing();
            CuEvent event = b.recorded(stream);
            b.ended(stream);
            CuStream other = b.stream();
            return b.ask(() -> b.driver().streamWaitEvent(other, event));
        }));
        add(Step.of("elapsed-of-captured-event", "cuEventElapsedTime", "an event recorded in a capture", b -> {
            CuEvent event = b.recorded(b.capturing());
            return b.ask(() -> b.driver().eventElapsedMillis(event, event));
        }));
    }

    private void graphs() {
        add(Step.of("launch-empty", LAUNCH, "a graph without nodes, then synchronise", b -> {
            CuGraphExec exec = b.executable(b.ended(b.capturing()));
            CuStream stream = b.stream();
            return b.ask(() -> {
                b.driver().graphLaunch(exec, stream);
                b.sync(stream);
            });
        }));
        add(Step.of("instantiate-twice", "cuGraphInstantiate", "a graph a second time", b -> {
            CuGraph graph = b.graph();
            b.executable(graph);
            return b.ask(() -> b.executable(graph));
        }));
        add(Step.of("launch-after-graph-destroyed", LAUNCH, "the graph it was made of is destroyed", b -> {
            CuStream capturing = b.capturing();
            long word = b.plain(64);
            b.driver().memsetD32Async(word, 4711, 1, capturing);
            CuGraph graph = b.driver().streamEndCapture(capturing);
            CuGraphExec exec = b.executable(graph);
            b.driver().graphDestroy(graph);
            CuStream stream = b.stream();
            return b.askFor(() -> {
                b.driver().graphLaunch(exec, stream);
                b.sync(stream);
                return b.word(word);
            });
        }));
        add(Step.of("launch-after-stream-destroyed", LAUNCH, "the stream it was captured on is destroyed", b -> {
            CuStream capturing = b.driver().streamCreate();
            b.driver().streamBeginCapture(capturing);
            CuGraphExec exec = b.executable(b.ended(capturing));
            b.driver().streamDestroy(capturing);
            CuStream stream = b.stream();
            return b.ask(() -> b.driver().graphLaunch(exec, stream));
        }));
        add(Step.of("launch-twice-at-once", LAUNCH, "while its last launch still waits", b -> {
            CuGraphExec exec = b.executable(b.graph());
            CuStream stream = b.stream();
            b.occupy(stream);
            b.driver().graphLaunch(exec, stream);
            CuStream other = b.stream();
            return b.ask(() -> b.driver().graphLaunch(exec, other));
        }));
    }

    private void destroyed() {
        add(Step.of("instantiate-destroyed", "cuGraphInstantiate", "a graph that is destroyed already", b -> {
                    CuGraph graph = destroyedGraph(b);
                    return b.ask(() -> b.executable(graph));
                })
                .alone());
        add(Step.of("destroy-graph-twice", "cuGraphDestroy", "a graph that is destroyed already", b -> {
                    CuGraph graph = destroyedGraph(b);
                    return b.ask(() -> b.driver().graphDestroy(graph));
                })
                .alone());
        add(Step.of("launch-destroyed", LAUNCH, "an executable graph that is destroyed already", b -> {
                    CuGraphExec exec = destroyedExec(b);
                    CuStream stream = b.stream();
                    return b.ask(() -> b.driver().graphLaunch(exec, stream));
                })
                .alone());
        add(Step.of("destroy-exec-twice", "cuGraphExecDestroy", "an executable graph that is destroyed already", b -> {
                    CuGraphExec exec = destroyedExec(b);
                    return b.ask(() -> b.driver().graphExecDestroy(exec));
                })
                .alone());
    }

    private static CuGraph destroyedGraph(Bench b) {
        CuGraph graph = b.driver().streamEndCapture(b.capturing());
        b.driver().graphDestroy(graph);
        return graph;
    }

    private static CuGraphExec destroyedExec(Bench b) {
        CuGraphExec exec = b.driver().graphInstantiate(b.graph());
        b.driver().graphExecDestroy(exec);
        return exec;
    }
}
