package io.tutti.fidelity;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Two devices of one host: whose memory, whose stream, and what needs peer access. */
final class PairSteps {

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        PairSteps script = new PairSteps();
        script.memory();
        script.otherProcesses();
        script.objects();
        return script.steps;
    }

    private void add(String id, String call, String arguments, Function<Bench, Answer> action) {
        steps.add(Step.of(id, call, arguments, action).onPair());
    }

    private void memory() {
        add("pair-access", "cuMemSetAccess", "device 1 to memory of device 0", b -> {
            long address = b.mapped(Bench.GRAIN);
            return b.ask(() -> b.driver().memSetAccess(address, Bench.GRAIN, 1));
        });
        add(
                "pair-create",
                "cuMemCreate",
                "on device 1, with device 0 current",
                b -> b.ask(() -> b.handle(Bench.GRAIN, new AllocationProperties(1, ShareableType.POSIX_FD))));
        add("pair-free", "cuMemFree", "memory of device 1, with device 0 current", b -> {
            long pointer = onSecond(b, () -> b.plain(Bench.MIB));
            return b.ask(() -> b.driver().memFree(pointer));
        });
        add("pair-copy", "cuMemcpyDtoDAsync", "to memory of device 1 without peer access, then synchronise", b -> {
            long target = onSecond(b, () -> b.plain(Bench.MIB));
            long source = b.plain(Bench.MIB);
            CuStream stream = b.stream();
            return b.ask(() -> {
                b.driver().memcpyDtoDAsync(target, source, 64, stream);
                b.sync(stream);
            });
        });
        add("pair-copy-to-host", "cuMemcpyDtoH", "from memory of device 1 without peer access", b -> {
            long source = onSecond(b, () -> b.plain(Bench.MIB));
            return b.ask(() -> b.word(source));
        });
        steps.add(Step.of(
                        "pair-store",
                        "cuLaunchKernel",
                        "a store to device 1 without peer access, then synchronise",
                        b -> {
                            long target = onSecond(b, () -> b.plain(Bench.MIB));
                            return store(b, target);
                        })
                .onPair()
                .alone());
        steps.add(Step.of(
                        "pair-store-to-peer",
                        "cuLaunchKernel",
                        "a store to device 1 with peer access, then synchronise",
                        b -> {
                            CuContext second = b.secondContext();
                            b.driver().ctxEnablePeerAccess(second);
                            long target = onSecond(b, () -> b.plain(Bench.MIB));
                            return store(b, target);
                        })
                .onPair()
                .alone());
    }

    private static Answer store(Bench b, long target) {
        CuStream stream = b.stream();
        CuFunction store = b.kernel(Bench.STORE);
        return b.ask(() -> {
            b.driver().launchKernel(store, LaunchGeometry.SINGLE, stream, Bench.params(target, 1));
            b.sync(stream);
        });
    }

    private void otherProcesses() {
        add("pair-ipc-open", "cuIpcOpenMemHandle", "memory of another process on device 1", b -> {
            byte[] handle = b.foreignHandle(1);
            return b.ask(() -> b.opened(handle));
        });
        add("pair-import", "cuMemImportFromShareableHandle", "memory of device 0, mapped and read by device 1", b -> {
            var handle = b.handle();
            long address = b.reserved(Bench.GRAIN);
            b.map(address, Bench.GRAIN, handle);
            b.driver().memSetAccess(address, Bench.GRAIN, 0);
            b.driver().memcpyHtoD(address, Bench.bytes(4).putInt(0, 4711));
            var descriptor = b.descriptor(handle);
            return b.askFor(() -> onSecond(b, () -> {
                long again = b.reserved(Bench.GRAIN);
                b.map(again, Bench.GRAIN, b.imported(descriptor));
                b.driver().memSetAccess(again, Bench.GRAIN, 1);
                return (long) b.word(again);
            }));
        });
    }

    private void objects() {
        add("pair-record", "cuEventRecord", "an event of device 1 on a stream of device 0", b -> {
            CuEvent event = onSecond(b, b::event);
            CuStream stream = b.stream();
            return b.ask(() -> b.driver().eventRecord(event, stream));
        });
        add("pair-wait", "cuStreamWaitEvent", "a stream of device 0 for an event of device 1", b -> {
            CuEvent event = onSecond(b, () -> b.recorded(b.stream()));
            CuStream stream = b.stream();
            return b.ask(() -> b.driver().streamWaitEvent(stream, event));
        });
        add("pair-fill", "cuMemsetD32Async", "on a stream of device 1, with device 0 current", b -> {
            CuStream stream = onSecond(b, b::stream);
            long word = b.plain(64);
            return b.ask(() -> b.driver().memsetD32Async(word, 1, 1, stream));
        });
        add("pair-launch", "cuLaunchKernel", "a function of device 0 on a stream of device 1", b -> {
            CuFunction store = b.kernel(Bench.STORE);
            long word = b.plain(64);
            CuStream stream = onSecond(b, b::stream);
            return b.ask(() -> b.driver().launchKernel(store, LaunchGeometry.SINGLE, stream, Bench.params(word, 1)));
        });
        add("pair-graph", "cuGraphLaunch", "a graph of device 0 on a stream of device 1", b -> {
            var exec = b.executable(b.graph());
            CuStream stream = onSecond(b, b::stream);
            return b.ask(() -> b.driver().graphLaunch(exec, stream));
        });
        add("pair-query", "cuStreamQuery", "a stream of device 1, with device 0 current", b -> {
            CuStream stream = onSecond(b, b::stream);
            return b.ask(() -> b.driver().streamQuery(stream));
        });
    }

    /** Does something with the second device current. */
    private static <T> T onSecond(Bench b, Supplier<T> work) {
        b.driver().ctxSetCurrent(b.secondContext());
        T made = work.get();
        b.driver().ctxSetCurrent(b.context());
        return made;
    }
}
