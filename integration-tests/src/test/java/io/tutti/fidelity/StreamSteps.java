package io.tutti.fidelity;

import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Streams and events: not ready, never recorded, destroyed. */
final class StreamSteps {

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        StreamSteps script = new StreamSteps();
        script.streams();
        script.events();
        script.destroyed();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void told(String id, String call, String arguments, Function<Bench, ?> asked) {
        add(Step.of(id, call, arguments, b -> b.askFor(() -> asked.apply(b))));
    }

    private void streams() {
        told(
                "query-new-stream",
                "cuStreamQuery",
                "a new stream: done",
                b -> b.driver().streamQuery(b.stream()));
        told(
                "query-busy-stream",
                "cuStreamQuery",
                "a kernel that waits: done",
                b -> b.driver().streamQuery(busy(b)));
        told(
                "synchronize-busy-stream",
                "cuStreamSynchronize",
                "a kernel that waits, at most 20 ms: done",
                b -> b.driver().streamSynchronize(busy(b), 20_000_000));
        add(Step.of("destroy-busy-stream", "cuStreamDestroy", "a kernel that waits", b -> {
            CuStream stream = b.driver().streamCreate();
            var word = b.mappedHost(64);
            b.launch(Bench.AWAIT, stream, word.devicePointer(), 1);
            return b.ask(() -> {
                b.driver().streamDestroy(stream);
                word.buffer().putInt(0, 1);
                pause();
            });
        }));
    }

    private static CuStream busy(Bench b) {
        CuStream stream = b.stream();
        b.occupy(stream);
        return stream;
    }

    /** Lets a kernel that was just told to end do so, where no stream is left to be asked. */
    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void events() {
        told(
                "query-new-event",
                "cuEventQuery",
                "an event that was never recorded: done",
                b -> b.driver().eventQuery(b.event()));
        told(
                "query-busy-event",
                "cuEventQuery",
                "an event behind a kernel that waits: done",
                b -> b.driver().eventQuery(b.recorded(busy(b))));
        told("wait-for-new-event", "cuStreamWaitEvent", "an event that was never recorded, then synchronise", b -> {
            CuStream stream = b.stream();
            b.driver().streamWaitEvent(stream, b.event());
            b.sync(stream);
            return "drained";
        });
        elapsed("never-recorded", "two events that were never recorded", (b, pair) -> {});
        elapsed("start-only", "the second was never recorded", (b, pair) -> {
            CuStream stream = b.stream();
            b.driver().eventRecord(pair[0], stream);
            b.sync(stream);
        });
        elapsed("end-only", "the first was never recorded", (b, pair) -> {
            CuStream stream = b.stream();
            b.driver().eventRecord(pair[1], stream);
            b.sync(stream);
        });
        elapsed("busy", "the second lies behind a kernel that waits", (b, pair) -> {
            CuStream stream = b.stream();
            b.driver().eventRecord(pair[0], stream);
            b.occupy(stream);
            b.driver().eventRecord(pair[1], stream);
        });
        elapsed("both", "two events that have passed", (b, pair) -> {
            CuStream stream = b.stream();
            b.driver().eventRecord(pair[0], stream);
            b.driver().eventRecord(pair[1], stream);
            b.sync(stream);
        });
        told("elapsed-of-one", "cuEventElapsedTime", "from an event to itself", b -> {
            CuStream stream = b.stream();
            CuEvent event = b.recorded(stream);
            b.sync(stream);
            return b.driver().eventElapsedMillis(event, event);
        });
    }

    private void elapsed(String id, String what, BiConsumer<Bench, CuEvent[]> prepared) {
        add(Step.of("elapsed-" + id, "cuEventElapsedTime", what, b -> {
            CuEvent[] pair = {b.event(), b.event()};
            prepared.accept(b, pair);
            return b.ask(() -> b.driver().eventElapsedMillis(pair[0], pair[1]));
        }));
    }

    private void destroyed() {
        stale(
                "destroy-stream-twice",
                "cuStreamDestroy",
                (b, stream) -> b.driver().streamDestroy(stream));
        stale(
                "query-destroyed-stream",
                "cuStreamQuery",
                (b, stream) -> b.driver().streamQuery(stream));
        stale(
                "fill-on-destroyed-stream",
                "cuMemsetD32Async",
                (b, stream) -> b.driver().memsetD32Async(b.plain(64), 0, 1, stream));
        stale(
                "record-on-destroyed-stream",
                "cuEventRecord",
                (b, stream) -> b.driver().eventRecord(b.event(), stream));
        stale(
                "wait-on-destroyed-stream",
                "cuStreamWaitEvent",
                (b, stream) -> b.driver().streamWaitEvent(stream, b.event()));
        stale(
                "capture-destroyed-stream",
                "cuStreamBeginCapture",
                (b, stream) -> b.driver().streamBeginCapture(stream));
        stale(
                "launch-on-destroyed-stream",
                "cuLaunchKernel",
                (b, stream) -> b.launch(Bench.STORE, stream, b.plain(64), 1));
        staleEvent(
                "destroy-event-twice",
                "cuEventDestroy",
                (b, event) -> b.driver().eventDestroy(event));
        staleEvent(
                "query-destroyed-event",
                "cuEventQuery",
                (b, event) -> b.driver().eventQuery(event));
        staleEvent(
                "record-destroyed-event",
                "cuEventRecord",
                (b, event) -> b.driver().eventRecord(event, b.stream()));
        staleEvent(
                "wait-for-destroyed-event",
                "cuStreamWaitEvent",
                (b, event) -> b.driver().streamWaitEvent(b.stream(), event));
        staleEvent(
                "elapsed-of-destroyed-event",
                "cuEventElapsedTime",
                (b, event) -> b.driver().eventElapsedMillis(event, event));
    }

    private void stale(String id, String call, BiConsumer<Bench, CuStream> asked) {
        add(Step.of(id, call, "a stream that is destroyed already", b -> {
                    CuStream stream = b.destroyedStream();
                    return b.ask(() -> asked.accept(b, stream));
                })
                .alone());
    }

    private void staleEvent(String id, String call, BiConsumer<Bench, CuEvent> asked) {
        add(Step.of(id, call, "an event that is destroyed already", b -> {
                    CuEvent event = b.destroyedEvent();
                    return b.ask(() -> asked.accept(b, event));
                })
                .alone());
    }
}
