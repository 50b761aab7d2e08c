package io.tutti.gpu.op;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/** A call that was launched and did not succeed. Its outputs are undefined. */
public final class CollectiveException extends TuttiException {

    private static final long serialVersionUID = 1L;

    private final transient EpochId epoch;
    private final transient CallDescriptor call;
    private final boolean resubmittable;

    /**
     * @param cause why
     * @param epoch the epoch it was launched in
     * @param call the first of its launches that did not succeed
     * @param resubmittable whether the same request may be submitted again, on all ranks: no rank has completed any part
     *     of it, and its inputs are as they were
     */
    public CollectiveException(ErrorInfo cause, EpochId epoch, CallDescriptor call, boolean resubmittable) {
        super(new ErrorInfo(
                cause.code(),
                cause.rank(),
                cause.call(),
                cause.result(),
                call.describe() + " of " + epoch + " failed: " + cause.message() + " resubmittable=" + resubmittable,
                cause.advice()));
        this.epoch = epoch;
        this.call = call;
        this.resubmittable = resubmittable;
    }

    public EpochId epoch() {
        return epoch;
    }

    public CallDescriptor call() {
        return call;
    }

    public boolean resubmittable() {
        return resubmittable;
    }
}
