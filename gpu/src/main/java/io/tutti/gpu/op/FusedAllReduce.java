package io.tutti.gpu.op;

import io.tutti.gpu.Epilogue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One rank's request: all-reduce, then residual add and RMSNorm, in one operation. Immutable; each method returns a
 * changed copy. Shapes: {@code partial}, {@code residual} and all outputs {@code [tokens, hidden]}, {@code gamma}
 * {@code [1, hidden]}, all of one {@link io.tutti.gpu.DType}. Residual, gamma and eps must be bit-equal on all ranks.
 *
 * <p>{@code residualOut} may be {@code residual} itself; any other overlap of an output with another tensor is refused.
 * The tensors' memory must stay valid until the returned stage completes.
 *
 * @param partial this rank's partial sum
 * @param residual the residual, or null for {@link Epilogue#ALL_REDUCE}
 * @param gamma the norm's weight, or null for {@link Epilogue#ALL_REDUCE}
 * @param epilogue what follows the sum
 * @param eps added to the mean of squares; finite, not negative
 * @param normOut receives the normalised rows, or null for {@link Epilogue#ALL_REDUCE}
 * @param residualOut receives the new residual, or null for {@link Epilogue#ALL_REDUCE}
 * @param sumOut receives the plain sum; required for {@link Epilogue#ALL_REDUCE}, optional otherwise
 * @param tag the caller's own mark; calls of one sequence number must carry equal tags on all ranks
 */
public record FusedAllReduce(
        DeviceTensor partial,
        @Nullable DeviceTensor residual,
        @Nullable DeviceTensor gamma,
        Epilogue epilogue,
        float eps,
        @Nullable DeviceTensor normOut,
        @Nullable DeviceTensor residualOut,
        @Nullable DeviceTensor sumOut,
        long tag) {

    /** The default of {@code eps}. */
    public static final float DEFAULT_EPS = 1e-6f;

    public FusedAllReduce {
        Objects.requireNonNull(partial, "partial");
        Objects.requireNonNull(epilogue, "epilogue");
    }

    /** All-reduce, residual add and RMSNorm; outputs are named with {@link #into}. */
    public static FusedAllReduce of(DeviceTensor partial, DeviceTensor residual, DeviceTensor gamma) {
        return new FusedAllReduce(
                partial, residual, gamma, Epilogue.RESIDUAL_RMSNORM, DEFAULT_EPS, null, null, null, 0);
    }

    /** The plain all-reduce. */
    public static FusedAllReduce sum(DeviceTensor partial, DeviceTensor sumOut) {
        return new FusedAllReduce(partial, null, null, Epilogue.ALL_REDUCE, DEFAULT_EPS, null, null, sumOut, 0);
    }

    /** The Gemma form: the norm's weight is {@code gamma + 1}. */
    public FusedAllReduce gemma() {
        return new FusedAllReduce(
                partial, residual, gamma, Epilogue.RESIDUAL_RMSNORM_GEMMA, eps, normOut, residualOut, sumOut, tag);
    }

    public FusedAllReduce eps(float newEps) {
        return new FusedAllReduce(partial, residual, gamma, epilogue, newEps, normOut, residualOut, sumOut, tag);
    }

    public FusedAllReduce into(DeviceTensor newNormOut, DeviceTensor newResidualOut) {
        return new FusedAllReduce(partial, residual, gamma, epilogue, eps, newNormOut, newResidualOut, sumOut, tag);
    }

    /** Also keep the plain sum. */
    public FusedAllReduce withSum(DeviceTensor newSumOut) {
        return new FusedAllReduce(partial, residual, gamma, epilogue, eps, normOut, residualOut, newSumOut, tag);
    }

    public FusedAllReduce tagged(long newTag) {
        return new FusedAllReduce(partial, residual, gamma, epilogue, eps, normOut, residualOut, sumOut, newTag);
    }
}
