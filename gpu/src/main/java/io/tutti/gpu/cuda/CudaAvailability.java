package io.tutti.gpu.cuda;

import io.tutti.gpu.ErrorInfo;

/** Whether this process can use the CUDA driver. */
public sealed interface CudaAvailability {

    /**
     * It can.
     *
     * @param driver the caller's, to be closed
     */
    record Usable(CudaDriver driver) implements CudaAvailability {}

    /**
     * It cannot.
     *
     * @param why with code SYSTEM: what is missing, and what to do about it
     */
    record Unusable(ErrorInfo why) implements CudaAvailability {}
}
