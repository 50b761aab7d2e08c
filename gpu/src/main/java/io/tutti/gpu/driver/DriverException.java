package io.tutti.gpu.driver;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;

/** A driver call that did not answer {@code CUDA_SUCCESS}. */
public final class DriverException extends TuttiException {

    private static final long serialVersionUID = 1L;

    private final CuResult result;

    /**
     * @param call the driver's own name of the call, for example {@code cuMemCreate}
     * @param result what it answered
     * @param details the arguments that matter, as {@code name=value name=value}
     */
    public DriverException(String call, CuResult result, String details) {
        super(new ErrorInfo(
                ErrorCode.DRIVER,
                null,
                call,
                result.name(),
                call + " answered " + result.code() + " " + result.name() + (details.isEmpty() ? "" : ": " + details),
                result.advice(call)));
        this.result = result;
    }

    public CuResult result() {
        return result;
    }

    public String call() {
        return String.valueOf(info().call());
    }
}
