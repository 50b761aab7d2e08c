package io.tutti.gpu.cuda;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.cuda.calls.CudaCalls;
import io.tutti.gpu.cuda.jcuda.JCudaBinding;
import io.tutti.gpu.cuda.jna.JnaBinding;
import io.tutti.gpu.cuda.nvml.Nvml;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceAttribute;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the CUDA driver, or says in a sentence why there is none. To be called before any actor exists: native libraries
 * are loaded and tried here, and a linkage error, which would end the JVM if an actor met it first, becomes a value.
 */
public final class Cuda {

    /** CUDA 11.8, the first driver with {@code cuLaunchKernelEx} and with compute capability 9.0. */
    public static final int OLDEST_DRIVER = 11080;

    /** Compute capability 8.0, major × 10 + minor: the oldest that the kernels are compiled for. */
    public static final int OLDEST_CAPABILITY = 80;

    private static final Logger LOG = LoggerFactory.getLogger(Cuda.class);
    private static final String HOST_INSTEAD = " or use the driver host (tutti.driver = host, --driver host).";

    private Cuda() {}

    /**
     * Loads the binding, initialises the driver and checks that it and a device are new enough. Throws nothing.
     *
     * @param image the kernel image that must be there
     */
    public static CudaAvailability open(CudaBinding binding, String image) {
        CudaCalls calls;
        try {
            calls = bind(binding);
        } catch (LinkageError | RuntimeException e) {
            return unusable(
                    null,
                    null,
                    "the NVIDIA driver cannot be loaded: library=" + JnaBinding.LIBRARY + " binding="
                            + binding.wireName() + " cause=" + firstLine(e),
                    "Install the NVIDIA driver, give the container access to it,");
        }
        try {
            return tried(calls, binding, image);
        } catch (LinkageError | RuntimeException e) {
            return unusable(
                    null,
                    null,
                    "the NVIDIA driver's library does not work: library=" + JnaBinding.LIBRARY + " cause="
                            + firstLine(e),
                    "Install a complete NVIDIA driver,");
        }
    }

    private static CudaCalls bind(CudaBinding binding) {
        CudaCalls jna = JnaBinding.bind();
        return switch (binding) {
            case JNA -> jna;
            case JCUDA -> JCudaBinding.bind(jna);
            case AUTO -> jcudaOr(jna);
        };
    }

    private static CudaCalls jcudaOr(CudaCalls jna) {
        if (!isX86Linux()) {
            return jna;
        }
        try {
            return JCudaBinding.bind(jna);
        } catch (LinkageError | RuntimeException e) {
            LOG.info("JCuda cannot be used, so JNA carries every call: {}", firstLine(e));
            return jna;
        }
    }

    private static boolean isX86Linux() {
        String arch = System.getProperty("os.arch", "");
        return System.getProperty("os.name", "").equals("Linux") && (arch.equals("amd64") || arch.equals("x86_64"));
    }

    private static CudaAvailability tried(CudaCalls calls, CudaBinding binding, String image) {
        int code = calls.cuInit(0);
        if (code != 0) {
            return refused("cuInit", code, "Run nvidia-smi on this machine to see what the driver says,");
        }
        int[] out = new int[1];
        code = calls.cuDriverGetVersion(out);
        if (code != 0) {
            return refused("cuDriverGetVersion", code, "Install a complete NVIDIA driver,");
        }
        int version = out[0];
        if (version < OLDEST_DRIVER) {
            return unusable(
                    "cuDriverGetVersion",
                    null,
                    "the NVIDIA driver is too old: cudaVersion=" + version + " needed=" + OLDEST_DRIVER,
                    "Update it to version 520 or newer,");
        }
        code = calls.cuDeviceGetCount(out);
        if (code != 0 || out[0] == 0) {
            return refused(
                    "cuDeviceGetCount",
                    code == 0 ? CuResult.CUDA_ERROR_NO_DEVICE.code() : code,
                    "Check CUDA_VISIBLE_DEVICES=" + System.getenv("CUDA_VISIBLE_DEVICES") + ",");
        }
        return checked(calls, binding, image, version, out[0]);
    }

    private static CudaAvailability checked(
            CudaCalls calls, CudaBinding binding, String image, int version, int devices) {
        int best = 0;
        for (int ordinal = 0; ordinal < devices; ordinal++) {
            best = Math.max(best, capability(calls, ordinal));
        }
        if (best < OLDEST_CAPABILITY) {
            return unusable(
                    "cuDeviceGetAttribute",
                    null,
                    "no device is new enough: devices=" + devices + " bestComputeCapability=" + dotted(best)
                            + " needed=" + dotted(OLDEST_CAPABILITY),
                    "Use a GPU of the generation Ampere or newer,");
        }
        if (!KernelImage.exists(image, best)) {
            return unusable(
                    null,
                    null,
                    "this build has no kernels for the devices: image=" + image + " bestComputeCapability="
                            + dotted(best),
                    "Use a build with CUDA kernels,");
        }
        LOG.info("CUDA driver {} with {} device(s), binding {}", version, devices, binding.wireName());
        return new CudaAvailability.Usable(new CudaDriver(new Session(calls), version, devices, Nvml.open()));
    }

    private static int capability(CudaCalls calls, int ordinal) {
        int[] major = new int[1];
        int[] minor = new int[1];
        int code = calls.cuDeviceGetAttribute(major, DeviceAttribute.COMPUTE_CAPABILITY_MAJOR.code(), ordinal);
        if (code == 0) {
            code = calls.cuDeviceGetAttribute(minor, DeviceAttribute.COMPUTE_CAPABILITY_MINOR.code(), ordinal);
        }
        return code == 0 ? major[0] * 10 + minor[0] : 0;
    }

    static String dotted(int capability) {
        return capability / 10 + "." + capability % 10;
    }

    private static CudaAvailability refused(String call, int code, String advice) {
        CuResult result = CuResult.ofCode(code);
        return unusable(
                call,
                result.name(),
                "the NVIDIA driver refuses to work: " + call + " answered " + code + " " + result.name(),
                result.advice(call) + " " + advice);
    }

    private static CudaAvailability unusable(
            @Nullable String call, @Nullable String result, String message, String advice) {
        return new CudaAvailability.Unusable(
                new ErrorInfo(ErrorCode.SYSTEM, null, call, result, message, advice + HOST_INSTEAD));
    }

    /** The first line, with the second where the first only announces it. */
    private static String firstLine(Throwable e) {
        List<String> lines = String.valueOf(e.getMessage()).lines().limit(2).toList();
        String first = lines.isEmpty() ? e.getClass().getSimpleName() : lines.get(0);
        return first.endsWith(":") && lines.size() > 1 ? first + " " + lines.get(1) : first;
    }
}
