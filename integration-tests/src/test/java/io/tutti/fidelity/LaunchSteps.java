package io.tutti.fidelity;

import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.LaunchGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Modules, functions and the geometry of launches. */
final class LaunchSteps {

    private final List<Step> steps = new ArrayList<>();

    static List<Step> all() {
        LaunchSteps script = new LaunchSteps();
        script.modules();
        script.geometries();
        script.destroyed();
        return script.steps;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void modules() {
        add(Step.of(
                "load-unknown",
                "cuModuleLoadData",
                "an image that is not shipped",
                b -> b.ask(() -> b.driver().moduleLoad("nothing-like-it"))));
        add(Step.of("load-twice", "cuModuleLoadData", "the same image again: another module", b -> {
            CuModule first = b.module();
            return b.askFor(() -> !b.module().equals(first));
        }));
        function("unknown", "a kernel that the image does not have", "fidelity_nothing");
        function("unnamed", "an empty name", "");
        function("other-case", "a kernel's name in capitals", Bench.STORE.toUpperCase(Locale.ROOT));
        add(Step.of("function-twice", "cuModuleGetFunction", "the same kernel again: the same function", b -> {
            CuModule module = b.module();
            CuFunction first = b.driver().moduleGetFunction(module, Bench.STORE);
            return b.askFor(
                    () -> b.driver().moduleGetFunction(module, Bench.STORE).equals(first));
        }));
    }

    private void function(String id, String what, String name) {
        add(Step.of("function-" + id, "cuModuleGetFunction", what, b -> {
            CuModule module = b.module();
            return b.ask(() -> b.driver().moduleGetFunction(module, name));
        }));
    }

    private void geometries() {
        launch("single", "1 block of 1 thread", LaunchGeometry.SINGLE);
        launch("0-blocks", "0 blocks", new LaunchGeometry(0, 1, 1, 0, false));
        launch("minus-one-blocks", "-1 blocks", new LaunchGeometry(-1, 1, 1, 0, false));
        launch("0-threads", "0 threads", new LaunchGeometry(1, 0, 1, 0, false));
        launch("1024-threads", "1,024 threads", new LaunchGeometry(1, 1024, 1, 0, false));
        launch("1025-threads", "1,025 threads", new LaunchGeometry(1, 1025, 1, 0, false));
        launch("2048-threads", "2,048 threads", new LaunchGeometry(1, 2048, 1, 0, false));
        launch("minus-one-threads", "-1 threads", new LaunchGeometry(1, -1, 1, 0, false));
        launch("48-kib-shared", "48 KiB of shared memory", new LaunchGeometry(1, 32, 1, 48 << 10, false));
        launch("100-kib-shared", "100 KiB of shared memory", new LaunchGeometry(1, 32, 1, 100 << 10, false));
        launch("227-kib-shared", "227 KiB of shared memory", new LaunchGeometry(1, 32, 1, 227 << 10, false));
        launch("228-kib-shared", "228 KiB of shared memory", new LaunchGeometry(1, 32, 1, 228 << 10, false));
        launch("1-mib-shared", "1 MiB of shared memory", new LaunchGeometry(1, 32, 1, 1 << 20, false));
        launch("minus-one-shared", "-1 bytes of shared memory", new LaunchGeometry(1, 32, 1, -1, false));
        launch("programmatic", "programmatic stream serialisation", new LaunchGeometry(1, 32, 1, 0, true));
        launch("cluster-4", "4 blocks in a cluster of 4", new LaunchGeometry(4, 32, 4, 0, false));
        launch("cluster-3-of-4", "4 blocks in clusters of 3", new LaunchGeometry(4, 32, 3, 0, false));
        launch("cluster-3", "3 blocks in a cluster of 3", new LaunchGeometry(3, 32, 3, 0, false));
        launch("cluster-16", "16 blocks in a cluster of 16", new LaunchGeometry(16, 32, 16, 0, false));
        launch("cluster-17", "17 blocks in a cluster of 17", new LaunchGeometry(17, 32, 17, 0, false));
        launch("cluster-32", "32 blocks in a cluster of 32", new LaunchGeometry(32, 32, 32, 0, false));
        launch("cluster-0", "a cluster of 0", new LaunchGeometry(1, 32, 0, 0, false));
        add(Step.of("launch-large-parameter", "cuLaunchKernel", "a parameter of 4,104 bytes", b -> {
            CuFunction store = b.kernel(Bench.STORE);
            CuStream stream = b.stream();
            return b.ask(() -> b.driver().launchKernel(store, LaunchGeometry.SINGLE, stream, Bench.bytes(4104)));
        }));
    }

    private void launch(String id, String what, LaunchGeometry geometry) {
        add(Step.of("launch-" + id, "cuLaunchKernel", what + ", then synchronise", b -> {
            CuFunction store = b.kernel(Bench.STORE);
            long word = b.plain(256);
            CuStream stream = b.stream();
            return b.ask(() -> {
                b.driver().launchKernel(store, geometry, stream, Bench.params(word, 1));
                b.sync(stream);
            });
        }));
    }

    private void destroyed() {
        add(Step.of("unload-twice", "cuModuleUnload", "a module that is unloaded already", b -> {
                    CuModule module = unloaded(b);
                    return b.ask(() -> b.driver().moduleUnload(module));
                })
                .alone());
        add(Step.of("function-of-unloaded", "cuModuleGetFunction", "a module that is unloaded already", b -> {
                    CuModule module = unloaded(b);
                    return b.ask(() -> b.driver().moduleGetFunction(module, Bench.STORE));
                })
                .alone());
        add(Step.of("launch-unloaded", "cuLaunchKernel", "a function whose module is unloaded", b -> {
                    CuModule module = b.driver().moduleLoad(Bench.IMAGE);
                    CuFunction store = b.driver().moduleGetFunction(module, Bench.STORE);
                    b.driver().moduleUnload(module);
                    long word = b.plain(256);
                    CuStream stream = b.stream();
                    return b.ask(
                            () -> b.driver().launchKernel(store, LaunchGeometry.SINGLE, stream, Bench.params(word, 1)));
                })
                .alone());
        add(Step.of("launch-null", "cuLaunchKernel", "function 0", b -> {
                    CuStream stream = b.stream();
                    return b.ask(() -> b.driver()
                            .launchKernel(new CuFunction(0), LaunchGeometry.SINGLE, stream, Bench.params(0, 1)));
                })
                .alone());
    }

    private static CuModule unloaded(Bench b) {
        CuModule module = b.driver().moduleLoad(Bench.IMAGE);
        b.driver().moduleUnload(module);
        return module;
    }
}
