package io.tutti.gpu.op;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import org.jspecify.annotations.Nullable;

/** Whether a request can ever work, looked at before anything is launched; each refusal has the code USAGE. */
public final class RequestCheck {

    /** Hidden sizes are multiples of this. */
    public static final int HIDDEN_STEP = 8;

    /** Largest hidden size. */
    public static final int MAX_HIDDEN = 65_536;

    private static final int POINTER_ALIGNMENT = 16;

    /** Places in the list of tensors, outputs first, that may be one and the same. */
    private static final int RESIDUAL_OUT = 1;

    private static final int RESIDUAL = 4;

    private RequestCheck() {}

    /**
     * Checks shapes, types, parameters, addresses and overlaps.
     *
     * @throws TuttiException with code USAGE
     */
    public static void validate(FusedAllReduce request) {
        boolean norm = request.epilogue().hasNorm();
        requirePresence("residual", request.residual(), norm, request);
        requirePresence("gamma", request.gamma(), norm, request);
        requirePresence("normOut", request.normOut(), norm, request);
        requirePresence("residualOut", request.residualOut(), norm, request);
        if (!norm && request.sumOut() == null) {
            throw refused("sumOut is missing: epilogue=" + request.epilogue().wireName());
        }
        long tokens = request.partial().tokens();
        long hidden = request.partial().hidden();
        if (tokens < 1) {
            throw refused("tokens must be at least 1: tokens=" + tokens);
        }
        if (hidden < HIDDEN_STEP || hidden > MAX_HIDDEN || hidden % HIDDEN_STEP != 0) {
            throw refused("hidden must be a multiple of " + HIDDEN_STEP + " from " + HIDDEN_STEP + " to " + MAX_HIDDEN
                    + ": hidden=" + hidden);
        }
        if (norm && !(Float.isFinite(request.eps()) && request.eps() >= 0)) {
            throw refused("eps must be finite and not negative: eps=" + request.eps());
        }
        requireTensor("partial", request.partial(), request, tokens);
        requireTensor("residual", request.residual(), request, tokens);
        requireTensor("gamma", request.gamma(), request, 1);
        requireTensor("normOut", request.normOut(), request, tokens);
        requireTensor("residualOut", request.residualOut(), request, tokens);
        requireTensor("sumOut", request.sumOut(), request, tokens);
        requireApart(request);
    }

    /**
     * What all ranks must agree on about a request.
     *
     * @param sequence the number of its first launch
     */
    public static CallDescriptor describe(FusedAllReduce request, long sequence, Algorithm algorithm) {
        boolean norm = request.epilogue().hasNorm();
        return new CallDescriptor(
                sequence,
                request.partial().tokens(),
                request.partial().hidden(),
                request.partial().dtype(),
                request.epilogue(),
                algorithm,
                norm ? Float.floatToRawIntBits(request.eps()) : 0,
                Float.floatToRawIntBits(request.epilogue().weightBias()),
                request.sumOut() != null,
                request.tag());
    }

    private static void requirePresence(
            String name, @Nullable DeviceTensor tensor, boolean wanted, FusedAllReduce request) {
        if ((tensor != null) != wanted) {
            throw refused(name + (wanted ? " is missing" : " has no use") + ": epilogue="
                    + request.epilogue().wireName());
        }
    }

    private static void requireTensor(String name, @Nullable DeviceTensor tensor, FusedAllReduce request, long tokens) {
        if (tensor == null) {
            return;
        }
        DeviceTensor partial = request.partial();
        if (tensor.dtype() != partial.dtype()) {
            throw refused("tensors differ in type: partial=" + partial.dtype().wireName() + " " + name + "="
                    + tensor.dtype().wireName());
        }
        if (tensor.tokens() != tokens || tensor.hidden() != partial.hidden()) {
            throw refused(name + " has the wrong shape: expected=[" + tokens + " × " + partial.hidden() + "] actual=["
                    + tensor.tokens() + " × " + tensor.hidden() + "]");
        }
        if (tensor.devicePointer() == 0 || tensor.devicePointer() % POINTER_ALIGNMENT != 0) {
            throw refused(name + " must be aligned to " + POINTER_ALIGNMENT + " bytes: address=0x"
                    + Long.toHexString(tensor.devicePointer()));
        }
        try {
            long bytes = tensor.bytes();
            if (Long.compareUnsigned(tensor.devicePointer() + bytes, tensor.devicePointer()) <= 0) {
                throw refused(name + " does not fit the address space: bytes=" + bytes);
            }
        } catch (ArithmeticException e) {
            throw refused(name + " does not fit the address space: shape=[" + tensor.tokens() + " × " + tensor.hidden()
                    + "]");
        }
    }

    private static void requireApart(FusedAllReduce request) {
        String[] names = {"normOut", "residualOut", "sumOut", "partial", "residual", "gamma"};
        @Nullable
        DeviceTensor[] tensors = {
            request.normOut(), request.residualOut(), request.sumOut(),
            request.partial(), request.residual(), request.gamma()
        };
        int outputs = 3;
        for (int out = 0; out < outputs; out++) {
            for (int other = out + 1; other < tensors.length; other++) {
                DeviceTensor one = tensors[out];
                DeviceTensor two = tensors[other];
                if (one != null && two != null && overlap(one, two)) {
                    boolean inPlace =
                            out == RESIDUAL_OUT && other == RESIDUAL && one.devicePointer() == two.devicePointer();
                    if (!inPlace) {
                        throw refused("an output overlaps another tensor: " + names[out] + "=0x"
                                + Long.toHexString(one.devicePointer()) + " " + names[other] + "=0x"
                                + Long.toHexString(two.devicePointer()));
                    }
                }
            }
        }
    }

    private static boolean overlap(DeviceTensor one, DeviceTensor other) {
        return Long.compareUnsigned(one.devicePointer(), other.devicePointer() + other.bytes()) < 0
                && Long.compareUnsigned(other.devicePointer(), one.devicePointer() + one.bytes()) < 0;
    }

    private static TuttiException refused(String message) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, "Correct the request; nothing was launched."));
    }
}
