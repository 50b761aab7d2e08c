package io.tutti.gpu.cuda.jcuda;

import io.tutti.gpu.driver.CuResult;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntSupplier;
import jcuda.CudaException;

/**
 * A JCuda call's code, also where the embedder's own code has switched JCuda's exceptions on: that switch is global, so it
 * is left alone, and an exception's message is the name of the code.
 */
final class Codes {

    private Codes() {}

    static int of(IntSupplier call) {
        try {
            return call.getAsInt();
        } catch (CudaException e) {
            return Arrays.stream(CuResult.values())
                    .filter(result -> result.name().equals(Objects.requireNonNullElse(e.getMessage(), "")))
                    .findFirst()
                    .orElse(CuResult.CUDA_ERROR_UNKNOWN)
                    .code();
        }
    }
}
