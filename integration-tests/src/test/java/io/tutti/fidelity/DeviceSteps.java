package io.tutti.fidelity;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/** What devices say, granularities, contexts, and which calls need one. */
final class DeviceSteps {

    private static final int[] NO_DEVICES = {-1, 77};

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        DeviceSteps script = new DeviceSteps();
        script.facts();
        script.granularities();
        script.multicast();
        script.contexts();
        script.withoutContext();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void facts() {
        add(Step.of(
                "driver-version",
                "cuDriverGetVersion",
                "",
                b -> b.askFor(() -> b.driver().driverVersion())));
        add(Step.of(
                "name",
                "cuDeviceGetName",
                "device 0",
                b -> b.askFor(() -> b.driver().deviceIdentity(0).name())));
        add(Step.of(
                "total-memory",
                "cuDeviceTotalMem",
                "device 0",
                b -> b.askFor(() -> b.driver().deviceIdentity(0).totalBytes() + " bytes")));
        add(Step.of(
                "memory-info",
                "cuMemGetInfo",
                "total beside the device's",
                b -> b.askFor(() -> b.driver().memGetInfo().totalBytes()
                        == b.driver().deviceIdentity(0).totalBytes())));
        for (DeviceAttribute attribute : DeviceAttribute.values()) {
            String name = attribute.name().toLowerCase(Locale.ROOT).replace('_', '-');
            add(Step.of(
                    "attribute-" + name,
                    "cuDeviceGetAttribute",
                    attribute + " of device 0",
                    b -> b.askFor(() -> b.driver().deviceAttribute(attribute, 0))));
        }
        for (int device : NO_DEVICES) {
            String which = "device " + device;
            add(Step.of(
                    "identity-of-" + name(device),
                    "cuDeviceGet",
                    which,
                    b -> b.ask(() -> b.driver().deviceIdentity(device))));
            add(Step.of(
                    "attribute-of-" + name(device),
                    "cuDeviceGetAttribute",
                    which,
                    b -> b.ask(() -> b.driver().deviceAttribute(DeviceAttribute.MULTICAST_SUPPORTED, device))));
            add(Step.of(
                    "peer-of-" + name(device),
                    "cuDeviceCanAccessPeer",
                    "device 0 to " + which,
                    b -> b.ask(() -> b.driver().deviceCanAccessPeer(0, device))));
        }
        add(Step.of(
                "peer-of-itself",
                "cuDeviceCanAccessPeer",
                "device 0 to itself",
                b -> b.askFor(() -> b.driver().deviceCanAccessPeer(0, 0))));
        add(Step.of(
                        "peer-of-second",
                        "cuDeviceCanAccessPeer",
                        "device 0 to device 1",
                        b -> b.askFor(() -> b.driver().deviceCanAccessPeer(0, 1)))
                .onPair());
        add(Step.of(
                "fabric-info",
                "nvmlDeviceGetGpuFabricInfo",
                "device 0",
                b -> b.askFor(() -> {
                    FabricInfo fabric = b.driver().fabricInfo(0);
                    return fabric.state() + ", clique " + fabric.clique() + ", cluster " + fabric.clusterUuid();
                })));
        add(Step.of(
                "imex-channel",
                "open",
                "an IMEX channel of this process",
                b -> b.askFor(() -> b.driver().imexChannel())));
    }

    private static String name(int device) {
        return device < 0 ? "minus-one" : "device-" + device;
    }

    private void granularities() {
        for (ShareableType type : ShareableType.values()) {
            String name = "granularity-" + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            add(Step.of(
                    name,
                    "cuMemGetAllocationGranularity",
                    "device 0, handle type " + type,
                    b -> b.askFor(() -> b.driver().memGetAllocationGranularity(new AllocationProperties(0, type)))));
        }
        for (int device : NO_DEVICES) {
            add(Step.of(
                    "granularity-of-" + name(device),
                    "cuMemGetAllocationGranularity",
                    "device " + device,
                    b -> b.ask(() -> b.driver()
                            .memGetAllocationGranularity(new AllocationProperties(device, ShareableType.NONE)))));
        }
    }

    private void multicast() {
        for (int devices : new int[] {0, 1, 2, 8, 72, 1000, -1}) {
            multicast(devices + "-devices", devices, Bench.GRAIN, ShareableType.POSIX_FD);
        }
        multicast("0-bytes", 2, 0, ShareableType.POSIX_FD);
        multicast("1-byte", 2, 1, ShareableType.POSIX_FD);
        multicast("grain-less-one", 2, Bench.GRAIN - 1, ShareableType.POSIX_FD);
        multicast("grain-and-one", 2, Bench.GRAIN + 1, ShareableType.POSIX_FD);
        multicast("1-gib", 2, Bench.GIB, ShareableType.POSIX_FD);
        multicast("1-pib", 2, 1L << 50, ShareableType.POSIX_FD);
        multicast("none", 2, Bench.GRAIN, ShareableType.NONE);
        multicast("fabric", 2, Bench.GRAIN, ShareableType.FABRIC);
    }

    private void multicast(String what, int devices, long bytes, ShareableType type) {
        String arguments = devices + " devices, " + bytes + " bytes, handle type " + type;
        add(Step.of(
                "multicast-" + what.replace("--", "-minus-"),
                "cuMulticastGetGranularity",
                arguments,
                b -> b.askFor(() -> b.driver().multicastGetGranularity(devices, bytes, type))));
    }

    private void contexts() {
        for (int device : NO_DEVICES) {
            add(Step.of(
                    "retain-" + name(device),
                    "cuDevicePrimaryCtxRetain",
                    "device " + device,
                    b -> b.ask(() -> b.driver().primaryCtxRetain(device))));
            add(Step.of(
                    "release-" + name(device),
                    "cuDevicePrimaryCtxRelease",
                    "device " + device,
                    b -> b.ask(() -> b.driver().primaryCtxRelease(device))));
        }
        add(Step.of(
                "retain-again",
                "cuDevicePrimaryCtxRetain",
                "device 0, a second time: the same",
                b -> b.askFor(() -> {
                    CuContext again = b.driver().primaryCtxRetain(0);
                    b.atEnd(() -> b.driver().primaryCtxRelease(0));
                    return again.equals(b.context());
                })));
        add(Step.of("release-too-often", "cuDevicePrimaryCtxRelease", "device 0, once more than retained", b -> {
                    int released = b.releaseContext();
                    b.atEnd(() -> b.retainContext(released));
                    return b.ask(() -> b.driver().primaryCtxRelease(0));
                })
                .alone());
        add(Step.of("current-none", "cuCtxSetCurrent", "no context", b -> b.ask(b::withoutContext)));
        add(Step.of(
                "peer-access-to-itself",
                "cuCtxEnablePeerAccess",
                "the current context",
                b -> b.ask(() -> b.driver().ctxEnablePeerAccess(b.context()))));
        add(Step.of("peer-access", "cuCtxEnablePeerAccess", "device 0 to device 1", b -> {
                    CuContext second = b.secondContext();
                    return b.ask(() -> b.driver().ctxEnablePeerAccess(second));
                })
                .onPair());
        add(Step.of("peer-access-again", "cuCtxEnablePeerAccess", "device 0 to device 1, a second time", b -> {
                    CuContext second = b.secondContext();
                    b.driver().ctxEnablePeerAccess(second);
                    return b.ask(() -> b.driver().ctxEnablePeerAccess(second));
                })
                .onPair());
    }

    private void withoutContext() {
        lacking("alloc", "cuMemAlloc", b -> b.plain(8));
        lacking("free-null", "cuMemFree", b -> b.driver().memFree(0));
        lacking("info", "cuMemGetInfo", b -> b.driver().memGetInfo());
        lacking("host-alloc", "cuMemHostAlloc", b -> b.mappedHost(64));
        lacking("stream", "cuStreamCreate", Bench::stream);
        lacking("event", "cuEventCreate", Bench::event);
        lacking("module", "cuModuleLoadData", Bench::module);
        lacking("peer-access", "cuCtxEnablePeerAccess", b -> b.driver().ctxEnablePeerAccess(b.context()));
        lacking("create", "cuMemCreate", Bench::handle);
        lacking("reserve", "cuMemAddressReserve", b -> b.reserved(Bench.GRAIN));
        lacking(
                "granularity",
                "cuMemGetAllocationGranularity",
                b -> b.driver().memGetAllocationGranularity(new AllocationProperties(0, ShareableType.NONE)));
        lacking(
                "multicast",
                "cuMulticastGetGranularity",
                b -> b.driver().multicastGetGranularity(2, Bench.GRAIN, ShareableType.POSIX_FD));
        lacking(
                "import",
                "cuMemImportFromShareableHandle, a closed descriptor",
                b -> b.imported(new ShareableHandle.PosixFd(987)));
        lacking("ipc-open", "cuIpcOpenMemHandle, junk", b -> b.opened(new byte[64]));
        withoutContextOnThings();
    }

    /** Things that were made with a context, used without one. */
    private void withoutContextOnThings() {
        made("free", "cuMemFree", b -> {
            long pointer = b.plain(8);
            return () -> b.driver().memFree(pointer);
        });
        made("copy", "cuMemcpyHtoD", b -> {
            long pointer = b.plain(8);
            return () -> b.driver().memcpyHtoD(pointer, Bench.bytes(8));
        });
        made("fill", "cuMemsetD32Async", b -> {
            long pointer = b.plain(8);
            CuStream stream = b.stream();
            return () -> b.driver().memsetD32Async(pointer, 0, 1, stream);
        });
        made("set-access", "cuMemSetAccess", b -> {
            long address = b.mapped(Bench.GRAIN);
            return () -> b.driver().memSetAccess(address, Bench.GRAIN, 0);
        });
        made("export", "cuMemExportToShareableHandle", b -> {
            var handle = b.handle();
            return () -> b.descriptor(handle);
        });
        made("ipc-get", "cuIpcGetMemHandle", b -> {
            long pointer = b.plain(8);
            return () -> b.driver().ipcGetMemHandle(pointer);
        });
        made("query-stream", "cuStreamQuery", b -> {
            CuStream stream = b.stream();
            return () -> b.driver().streamQuery(stream);
        });
        made("destroy-stream", "cuStreamDestroy", b -> {
            CuStream stream = b.driver().streamCreate();
            return () -> b.driver().streamDestroy(stream);
        });
        made("record", "cuEventRecord", b -> {
            var event = b.event();
            CuStream stream = b.stream();
            return () -> b.driver().eventRecord(event, stream);
        });
        made("query-event", "cuEventQuery", b -> {
            var event = b.event();
            return () -> b.driver().eventQuery(event);
        });
        made("function", "cuModuleGetFunction", b -> {
            var module = b.module();
            return () -> b.driver().moduleGetFunction(module, Bench.STORE);
        });
        made("launch", "cuLaunchKernel", b -> {
            var store = b.kernel(Bench.STORE);
            long word = b.plain(8);
            CuStream stream = b.stream();
            return () -> b.driver().launchKernel(store, LaunchGeometry.SINGLE, stream, Bench.params(word, 1));
        });
        made("capture", "cuStreamBeginCapture", b -> {
            CuStream stream = b.stream();
            return () -> b.driver().streamBeginCapture(stream);
        });
        made("graph-launch", "cuGraphLaunch", b -> {
            var exec = b.executable(b.graph());
            CuStream stream = b.stream();
            return () -> b.driver().graphLaunch(exec, stream);
        });
    }

    private void lacking(String id, String call, Consumer<Bench> asked) {
        made(id, call, b -> () -> asked.accept(b));
    }

    private void made(String id, String call, Function<Bench, Runnable> prepared) {
        add(Step.of("no-context-" + id, call, "no current context", b -> {
            Runnable asked = prepared.apply(b);
            b.withoutContext();
            return b.ask(asked);
        }));
    }
}
