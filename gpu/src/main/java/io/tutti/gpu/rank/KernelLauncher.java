package io.tutti.gpu.rank;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.abi.FusedKernels;
import io.tutti.gpu.abi.FusedParams;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.abi.LaunchParams;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.op.DeviceShape;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.Fingerprint;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.op.KernelLaunch;
import io.tutti.gpu.op.LaunchTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hands kernels to the rank's stream, or to a caller's, through one native parameter block that is rewritten for every launch. Calls must not
 * overlap; the rank's launch lock sees to that.
 */
final class KernelLauncher implements AutoCloseable {

    private static final List<String> KERNELS = Stream.of(
                    FusedKernels.names(Algorithm.ONE_SHOT),
                    FusedKernels.names(Algorithm.TWO_SHOT),
                    List.of(KernelAbi.ARM, KernelAbi.WRITE_PATTERN, KernelAbi.VERIFY_PATTERN))
            .flatMap(List::stream)
            .toList();

    private final Driver driver;
    private final CuStream stream;
    private final long control;
    private final CuModule module;
    private final int multiprocessors;
    private final int computeCapability;
    private final Map<String, CuFunction> functions = new HashMap<>();
    private final ByteBuffer params =
            ByteBuffer.allocateDirect(FusedParams.SIZE).order(ByteOrder.nativeOrder());

    /**
     * Loads the kernel image and every kernel of it, so that no first launch has to wait for kernels that spin; the
     * current context is the rank's.
     */
    KernelLauncher(Driver driver, int device, CuStream stream, long control) {
        this.driver = driver;
        this.stream = stream;
        this.control = control;
        this.multiprocessors = driver.deviceAttribute(DeviceAttribute.MULTIPROCESSOR_COUNT, device);
        this.computeCapability = 10 * driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, device)
                + driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MINOR, device);
        this.module = driver.moduleLoad(KernelAbi.IMAGE);
        try {
            KERNELS.forEach(kernel -> functions.put(kernel, driver.moduleGetFunction(module, kernel)));
        } catch (RuntimeException e) {
            driver.moduleUnload(module);
            throw e;
        }
    }

    /** Launches a kernel that takes the common parameters alone. */
    void launch(String kernel, EpochId epoch, long timeoutNanos) {
        KernelLaunch launch = LaunchTable.common(kernel);
        LaunchParams.write(params, LaunchParams.SIZE, control, epoch.term().counter(), epoch.epoch(), timeoutNanos);
        params.position(0).limit(LaunchParams.SIZE);
        driver.launchKernel(function(launch.kernel()), launch.geometry(), stream, params);
        params.clear();
    }

    /**
     * Launches one chunk of a call.
     *
     * @param follows whether the stream's work before it is another chunk or call that was launched here
     */
    void launch(PlannedCall call, int chunk, boolean follows, EpochId epoch, long timeoutNanos) {
        launch(call, chunk, follows, epoch, timeoutNanos, stream);
    }

    /** The same on another stream of the device. */
    void launch(PlannedCall call, int chunk, boolean follows, EpochId epoch, long timeoutNanos, CuStream onStream) {
        FusedAllReduce request = call.request();
        long first = call.launches().firstToken(chunk);
        long tokens = call.launches().tokens(chunk, request.partial().tokens());
        LaunchParams.write(params, FusedParams.SIZE, control, epoch.term().counter(), epoch.epoch(), timeoutNanos);
        params.putLong(FusedParams.PARTIAL, address(request.partial(), first))
                .putLong(FusedParams.RESIDUAL, address(request.residual(), first))
                .putLong(FusedParams.GAMMA, address(request.gamma(), 0))
                .putLong(FusedParams.NORM_OUT, address(request.normOut(), first))
                .putLong(FusedParams.RESIDUAL_OUT, address(request.residualOut(), first))
                .putLong(FusedParams.SUM_OUT, address(request.sumOut(), first))
                .putLong(FusedParams.TOKENS, tokens)
                .putLong(FusedParams.HIDDEN, request.partial().hidden())
                .putLong(FusedParams.TOKEN_OFFSET, first)
                .putInt(FusedParams.DTYPE, request.partial().dtype().ordinal())
                .putInt(FusedParams.EPILOGUE, request.epilogue().ordinal())
                .putInt(FusedParams.EPS_BITS, call.descriptor().epsBits())
                .putInt(FusedParams.BIAS_BITS, call.descriptor().biasBits())
                .putLong(FusedParams.FINGERPRINT, Fingerprint.of(call.descriptor(), first, tokens))
                .putLong(FusedParams.TAG, request.tag())
                .putInt(FusedParams.FLAGS, flags(request))
                .putInt(FusedParams.ALGORITHM, call.algorithm().ordinal());
        KernelLaunch launch = LaunchTable.fused(
                new DeviceShape(multiprocessors, computeCapability, call.plan().ranksPerDevice()),
                call.plan().workspace().worldSize(),
                call.algorithm(),
                request.partial().dtype(),
                tokens,
                request.partial().hidden(),
                request.epilogue().hasNorm(),
                follows);
        driver.launchKernel(function(launch.kernel()), launch.geometry(), onStream, params);
    }

    private CuFunction function(String kernel) {
        return Objects.requireNonNull(functions.get(kernel), kernel);
    }

    private static int flags(FusedAllReduce request) {
        return (request.epilogue().hasNorm() ? FusedParams.FLAG_NORM : 0)
                | (request.sumOut() != null ? FusedParams.FLAG_SUM : 0);
    }

    private static long address(@Nullable DeviceTensor tensor, long firstToken) {
        return tensor == null
                ? 0
                : tensor.devicePointer()
                        + firstToken * tensor.hidden() * tensor.dtype().bytes();
    }

    @Override
    public void close() {
        driver.moduleUnload(module);
    }
}
