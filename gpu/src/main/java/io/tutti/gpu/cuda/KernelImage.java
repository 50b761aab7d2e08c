package io.tutti.gpu.cuda;

import io.tutti.gpu.driver.CuResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The PTX of a kernel image for one kind of device. Images are resources beside this class, {@code <name>.sm_90.ptx} and
 * {@code <name>.sm_80.ptx}; a device takes the newest that is not newer than itself, and the driver assembles it.
 *
 * @param resource the resource's name, for messages
 * @param ptx the text, ended with a zero byte as the driver wants it
 */
record KernelImage(String resource, byte[] ptx) {

    private static final int[] CAPABILITIES = {90, Cuda.OLDEST_CAPABILITY};
    private static final Map<String, KernelImage> READ = new ConcurrentHashMap<>();

    /** @throws io.tutti.gpu.driver.DriverException 209 for a device that is too old, 500 without such an image */
    static KernelImage of(String name, int capability) {
        int target = target(capability);
        if (target != 0) {
            return READ.computeIfAbsent(resource(name, target), KernelImage::read);
        }
        throw Session.failure(
                "cuModuleLoadData",
                CuResult.CUDA_ERROR_NO_BINARY_FOR_GPU.code(),
                "image=" + name + " computeCapability=" + Cuda.dotted(capability) + " needed="
                        + Cuda.dotted(Cuda.OLDEST_CAPABILITY));
    }

    /** Whether there is an image of that name for a device of that capability. */
    static boolean exists(String name, int capability) {
        return KernelImage.class.getResource(resource(name, target(capability))) != null;
    }

    private static int target(int capability) {
        return Arrays.stream(CAPABILITIES)
                .filter(target -> target <= capability)
                .findFirst()
                .orElse(0);
    }

    private static String resource(String name, int target) {
        return name + ".sm_" + target + ".ptx";
    }

    private static KernelImage read(String resource) {
        try (InputStream in = KernelImage.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw Session.failure("cuModuleLoadData", CuResult.CUDA_ERROR_NOT_FOUND.code(), "resource=" + resource);
            }
            byte[] text = in.readAllBytes();
            return new KernelImage(resource, Arrays.copyOf(text, text.length + 1));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the kernel image " + resource, e);
        }
    }
}
