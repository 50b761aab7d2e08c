package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaFlags;
import io.tutti.gpu.cuda.jna.NativeMemory;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.LaunchGeometry;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Kernel images, their kernels, and launches. */
final class ModuleCalls {

    private static final int LOG_BYTES = 4096;

    /** Dynamic shared memory that a kernel may have without asking. */
    private static final int ORDINARY_SHARED_BYTES = 48 * 1024;

    /** The largest cluster that every device of a generation can run. */
    private static final int PORTABLE_CLUSTER = 8;

    private final Session session;
    private final DeviceCalls devices;
    private final int driverVersion;
    private final Map<Long, Integer> sharedLimits = new ConcurrentHashMap<>(); // by function
    private final Map<Long, Boolean> largeClusters = new ConcurrentHashMap<>(); // by function
    private final ThreadLocal<LaunchBlock> blocks = ThreadLocal.withInitial(LaunchBlock::new);

    ModuleCalls(Session session, DeviceCalls devices, int driverVersion) {
        this.session = session;
        this.devices = devices;
        this.driverVersion = driverVersion;
    }

    /** Assembles an image for the current context's device. */
    CuModule load(String name) {
        int device = ContextCalls.currentDevice(session, "cuModuleLoadData");
        int capability = devices.attribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, device) * 10
                + devices.attribute(DeviceAttribute.COMPUTE_CAPABILITY_MINOR, device);
        KernelImage image = KernelImage.of(name, capability);
        long[] module = new long[1];
        int code = session.relaxed(() -> session.calls().cuModuleLoadData(module, image.ptx()));
        if (code != 0) {
            throw notLoaded(image, device, capability, code);
        }
        session.added(Session.Kind.MODULE);
        return new CuModule(module[0]);
    }

    private DriverException notLoaded(KernelImage image, int device, int capability, int code) {
        return Session.failure(
                "cuModuleLoadData",
                code,
                "image=" + image.resource() + " device="
                        + devices.identity(device).name() + " computeCapability=" + Cuda.dotted(capability)
                        + " driverVersion=" + driverVersion + assemblerLog(image, code));
    }

    /** What the driver's assembler has to say, from a second try. */
    private String assemblerLog(KernelImage image, int code) {
        CuResult result = CuResult.ofCode(code);
        if (result != CuResult.CUDA_ERROR_INVALID_PTX && result != CuResult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
            return "";
        }
        NativeMemory log = NativeMemory.allocate(LOG_BYTES);
        int[] options = {CudaFlags.JIT_ERROR_LOG_BUFFER, CudaFlags.JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        long[] values = {log.address(), LOG_BYTES - 1};
        long[] module = new long[1];
        int again = session.relaxed(
                () -> session.calls().cuModuleLoadDataEx(module, image.ptx(), options.length, options, values));
        if (again == 0) {
            int unheeded = session.relaxed(() -> session.calls().cuModuleUnload(module[0]));
            return " secondTry=loaded unloaded=" + (unheeded == 0);
        }
        byte[] text = new byte[LOG_BYTES];
        log.buffer().get(0, text);
        Reference.reachabilityFence(log);
        String words = new String(text, StandardCharsets.UTF_8);
        int end = words.indexOf('\0');
        String first =
                words.substring(0, Math.max(end, 0)).strip().lines().limit(3).reduce("", (a, b) -> a + " " + b);
        return first.isEmpty() ? "" : " log='" + first.strip() + "'";
    }

    void unload(CuModule module) {
        session.checkRelaxed(
                "cuModuleUnload",
                () -> session.calls().cuModuleUnload(module.value()),
                () -> Session.hex("module", module.value()));
        session.removed(Session.Kind.MODULE);
        // A module that is loaded later may get the same numbers for its functions, and they know nothing yet.
        sharedLimits.clear();
        largeClusters.clear();
    }

    /**
     * A kernel, really on the device: the driver may load kernels lazily at their first launch, which waits for kernels
     * that run, and these may wait for the one that is to be launched.
     */
    CuFunction find(CuModule module, String kernel) {
        long[] function = new long[1];
        session.checkRelaxed(
                "cuModuleGetFunction",
                () -> session.calls().cuModuleGetFunction(function, module.value(), kernel),
                () -> "kernel=" + kernel);
        int[] threads = new int[1];
        session.checkRelaxed(
                "cuFuncGetAttribute",
                () -> session.calls().cuFuncGetAttribute(threads, CudaFlags.FUNC_MAX_THREADS_PER_BLOCK, function[0]),
                () -> "kernel=" + kernel);
        return new CuFunction(function[0]);
    }

    void launch(CuFunction function, LaunchGeometry geometry, CuStream stream, ByteBuffer params) {
        if (params.remaining() > LaunchBlock.LARGEST_STRUCT) {
            throw Session.failure(
                    "cuLaunchKernelEx",
                    CuResult.CUDA_ERROR_INVALID_VALUE.code(),
                    "parameterBytes=" + params.remaining() + " largest=" + LaunchBlock.LARGEST_STRUCT);
        }
        permit(function, geometry);
        LaunchBlock block = blocks.get();
        block.params(params);
        boolean plain = geometry.clusterBlocks() == 1 && !geometry.programmatic();
        int code = plain
                ? session.calls()
                        .cuLaunchKernel(
                                function.value(),
                                geometry.gridBlocks(),
                                geometry.blockThreads(),
                                geometry.sharedBytes(),
                                stream.value(),
                                block.table())
                : session.calls()
                        .cuLaunchKernelEx(block.config(geometry, stream.value()), function.value(), block.table(), 0);
        if (code != 0) {
            throw Session.failure(
                    plain ? "cuLaunchKernel" : "cuLaunchKernelEx",
                    code,
                    geometry + " parameterBytes=" + params.remaining());
        }
    }

    /** What a kernel must be told once before it may be launched so. */
    private void permit(CuFunction function, LaunchGeometry geometry) {
        int shared = geometry.sharedBytes();
        if (shared > ORDINARY_SHARED_BYTES && sharedLimits.getOrDefault(function.value(), 0) < shared) {
            set(function, CudaFlags.FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared);
            sharedLimits.merge(function.value(), shared, Math::max);
        }
        if (geometry.clusterBlocks() > PORTABLE_CLUSTER && !largeClusters.containsKey(function.value())) {
            set(function, CudaFlags.FUNC_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
            largeClusters.put(function.value(), true);
        }
    }

    private void set(CuFunction function, int attribute, int value) {
        session.checkRelaxed(
                "cuFuncSetAttribute",
                () -> session.calls().cuFuncSetAttribute(function.value(), attribute, value),
                () -> "attribute=" + attribute + " value=" + value);
    }
}
