package io.tutti.gpu.host.execution;

import java.nio.ByteBuffer;

/** A kernel of the host driver: Java code that runs on its stream's thread. Implementations keep no state of a call. */
@FunctionalInterface
public interface HostKernel {

    /**
     * Runs the kernel to its end. An exception becomes a sticky {@code CUDA_ERROR_LAUNCH_FAILED} of the device.
     *
     * @param memory resolves device addresses of the stream's device
     * @param params the launch's parameter struct, native order, position 0; must not be kept
     */
    void run(KernelMemory memory, ByteBuffer params);
}
