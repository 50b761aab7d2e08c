package io.tutti.fidelity;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** After a kernel stored where nothing is mapped: which calls still work, and what the others answer. */
final class LostContextSteps {

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        LostContextSteps script = new LostContextSteps();
        script.streams();
        script.memory();
        script.virtualMemory();
        script.objects();
        script.devices();
        return script.steps;
    }

    private void lost(String id, String call, BiFunction<Bench, CuStream, Runnable> prepared) {
        steps.add(Step.of("lost-" + id, call, "after a kernel's illegal address", b -> {
                    CuStream stream = b.stream();
                    Runnable asked = prepared.apply(b, stream);
                    b.loseContext(stream);
                    return b.ask(asked);
                })
                .alone());
    }

    private void simply(String id, String call, Consumer<Bench> asked) {
        lost(id, call, (b, stream) -> () -> asked.accept(b));
    }

    private void streams() {
        lost("query-stream", "cuStreamQuery", (b, stream) -> () -> b.driver().streamQuery(stream));
        lost(
                "destroy-stream",
                "cuStreamDestroy",
                (b, stream) -> () -> b.driver().streamDestroy(stream));
        lost("launch", "cuLaunchKernel", (b, stream) -> {
            var store = b.kernel(Bench.STORE);
            long word = b.plain(64);
            return () -> b.driver().launchKernel(store, LaunchGeometry.SINGLE, stream, Bench.params(word, 1));
        });
        lost("fill", "cuMemsetD32Async", (b, stream) -> {
            long word = b.plain(64);
            return () -> b.driver().memsetD32Async(word, 1, 1, stream);
        });
        lost("capture", "cuStreamBeginCapture", (b, stream) -> () -> b.driver().streamBeginCapture(stream));
        simply("create-stream", "cuStreamCreate", Bench::stream);
        lost("query-event", "cuEventQuery", (b, stream) -> {
            var event = b.event();
            return () -> b.driver().eventQuery(event);
        });
        lost("destroy-event", "cuEventDestroy", (b, stream) -> {
            var event = b.driver().eventCreate();
            return () -> b.driver().eventDestroy(event);
        });
    }

    private void memory() {
        simply("alloc", "cuMemAlloc", b -> b.plain(64));
        lost("free", "cuMemFree", (b, stream) -> {
            long pointer = b.plain(64);
            return () -> b.driver().memFree(pointer);
        });
        lost("copy", "cuMemcpyDtoH", (b, stream) -> {
            long pointer = b.plain(64);
            b.word(pointer);
            return () -> b.word(pointer);
        });
        simply("info", "cuMemGetInfo", b -> b.driver().memGetInfo());
        simply("host-alloc", "cuMemHostAlloc", b -> b.mappedHost(64));
        lost("host-free", "cuMemFreeHost", (b, stream) -> {
            var memory = b.mappedHost(64);
            return () -> b.driver().memFreeHost(memory);
        });
        lost("ipc-get", "cuIpcGetMemHandle", (b, stream) -> {
            long pointer = b.plain(Bench.MIB);
            return () -> b.driver().ipcGetMemHandle(pointer);
        });
        lost("ipc-open", "cuIpcOpenMemHandle", (b, stream) -> {
            byte[] handle = b.foreignHandle(0);
            return () -> b.opened(handle);
        });
        lost("ipc-close", "cuIpcCloseMemHandle", (b, stream) -> {
            long pointer = b.opened(b.foreignHandle(0));
            return () -> b.driver().ipcCloseMemHandle(pointer);
        });
    }

    private void virtualMemory() {
        simply("create", "cuMemCreate", b -> b.handle());
        lost("release", "cuMemRelease", (b, stream) -> {
            var handle = b.handle();
            return () -> b.driver().memRelease(handle);
        });
        simply("reserve", "cuMemAddressReserve", b -> b.reserved(Bench.GRAIN));
        lost("unreserve", "cuMemAddressFree", (b, stream) -> {
            long address = b.reserved(Bench.GRAIN);
            return () -> b.driver().memAddressFree(address, Bench.GRAIN);
        });
        lost("map", "cuMemMap", (b, stream) -> {
            long address = b.reserved(Bench.GRAIN);
            var handle = b.handle();
            return () -> b.map(address, Bench.GRAIN, handle);
        });
        lost("unmap", "cuMemUnmap", (b, stream) -> {
            long address = b.accessible(Bench.GRAIN);
            return () -> b.driver().memUnmap(address, Bench.GRAIN);
        });
        lost("set-access", "cuMemSetAccess", (b, stream) -> {
            long address = b.mapped(Bench.GRAIN);
            return () -> b.driver().memSetAccess(address, Bench.GRAIN, 0);
        });
        lost("export", "cuMemExportToShareableHandle", (b, stream) -> {
            var handle = b.handle();
            return () -> b.descriptor(handle);
        });
        lost("import", "cuMemImportFromShareableHandle", (b, stream) -> {
            var descriptor = b.descriptor(b.handle());
            return () -> b.imported(descriptor);
        });
    }

    private void objects() {
        simply("load", "cuModuleLoadData", b -> b.module());
        lost("unload", "cuModuleUnload", (b, stream) -> {
            var module = b.module();
            return () -> b.driver().moduleUnload(module);
        });
        lost("instantiate", "cuGraphInstantiate", (b, stream) -> {
            var graph = b.graph();
            return () -> b.executable(graph);
        });
        lost("graph-launch", "cuGraphLaunch", (b, stream) -> {
            var exec = b.executable(b.graph());
            return () -> b.driver().graphLaunch(exec, stream);
        });
        lost("destroy-graph", "cuGraphDestroy", (b, stream) -> {
            var graph = b.graph();
            return () -> b.driver().graphDestroy(graph);
        });
        lost("destroy-exec", "cuGraphExecDestroy", (b, stream) -> {
            var exec = b.executable(b.graph());
            return () -> b.driver().graphExecDestroy(exec);
        });
    }

    private void devices() {
        simply(
                "attribute",
                "cuDeviceGetAttribute",
                b -> b.driver().deviceAttribute(DeviceAttribute.MULTIPROCESSOR_COUNT, 0));
        simply(
                "granularity",
                "cuMemGetAllocationGranularity",
                b -> b.driver().memGetAllocationGranularity(new AllocationProperties(0, ShareableType.NONE)));
        simply(
                "multicast",
                "cuMulticastGetGranularity",
                b -> b.driver().multicastGetGranularity(2, Bench.GRAIN, ShareableType.POSIX_FD));
        simply("current", "cuCtxSetCurrent", b -> b.driver().ctxSetCurrent(b.context()));
        simply("retain", "cuDevicePrimaryCtxRetain", b -> {
            b.driver().primaryCtxRetain(0);
            b.atEnd(() -> b.driver().primaryCtxRelease(0));
        });
        lost("release-context", "cuDevicePrimaryCtxRelease", (b, stream) -> {
            b.driver().primaryCtxRetain(0);
            return () -> b.driver().primaryCtxRelease(0);
        });
        simply("revive", "cuMemAlloc, the context released and retained again", b -> {
            b.retainContext(b.releaseContext());
            b.plain(64);
        });
    }
}
