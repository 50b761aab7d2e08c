package io.tutti.fidelity;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a call answered.
 *
 * @param result the driver's name of the result, or what happened instead of an answer
 * @param value what a successful call told, where that is the same each time; otherwise empty
 */
record Answer(String result, String value) {

    static final Answer CRASHED = new Answer("the process crashed", "");
    static final Answer HUNG = new Answer("no answer in time", "");

    private static final Pattern UNLISTED = Pattern.compile("\\bcode=(\\d+)");

    static Answer success(String value) {
        return new Answer(CuResult.CUDA_SUCCESS.name(), value);
    }

    static Answer refused(DriverException refusal) {
        return new Answer(name(refusal), "");
    }

    /** What was to be there before the call could not be made. */
    static Answer unprepared(DriverException refusal) {
        return new Answer("not asked: " + refusal.call() + " answered " + name(refusal), "");
    }

    static Answer threw(Throwable thrown) {
        return new Answer("threw " + thrown, "");
    }

    /** Whether it is one of the driver's results; the others compare with nothing. */
    boolean isResult() {
        return result.startsWith("CUDA_");
    }

    boolean isSuccess() {
        return result.equals(CuResult.CUDA_SUCCESS.name());
    }

    /** A code that the product does not list is told by its number. */
    private static String name(DriverException refusal) {
        Matcher code = UNLISTED.matcher(String.valueOf(refusal.getMessage()));
        return refusal.result() == CuResult.CUDA_ERROR_UNKNOWN && code.find()
                ? "CUDA_ERROR " + code.group(1)
                : refusal.result().name();
    }

    @Override
    public String toString() {
        return value.isEmpty() ? result : result + " " + value;
    }
}
