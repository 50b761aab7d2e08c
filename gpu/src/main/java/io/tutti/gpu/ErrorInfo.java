package io.tutti.gpu;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One failure as data: it travels in messages between ranks and ends in the user's exception or in the command line's
 * JSON without losing a field.
 *
 * @param code what kind of failure
 * @param rank the rank it happened on, or null where it concerns no single rank
 * @param call the driver call, stage or setting it happened at, or null
 * @param result the driver's result name (for example {@code CUDA_ERROR_OUT_OF_MEMORY}), or null
 * @param message what happened, with the values that matter
 * @param advice what to do about it
 */
public record ErrorInfo(
        ErrorCode code,
        @Nullable Integer rank,
        @Nullable String call,
        @Nullable String result,
        String message,
        String advice) {

    public ErrorInfo {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(advice, "advice");
    }

    public static ErrorInfo of(ErrorCode code, String message, String advice) {
        return new ErrorInfo(code, null, null, null, message, advice);
    }

    /** The same failure, attributed to a rank; a rank that is already named stays. */
    public ErrorInfo onRank(int newRank) {
        return rank != null ? this : new ErrorInfo(code, newRank, call, result, message, advice);
    }

    public ErrorInfo at(String newCall) {
        return new ErrorInfo(code, rank, newCall, result, message, advice);
    }

    /** One line for people: message, then where, then advice. */
    public String describe() {
        StringBuilder text = new StringBuilder(message);
        String separator = " [";
        if (rank != null) {
            text.append(separator).append("rank=").append(rank);
            separator = " ";
        }
        if (call != null) {
            text.append(separator).append("call=").append(call);
            separator = " ";
        }
        if (result != null) {
            text.append(separator).append("result=").append(result);
            separator = " ";
        }
        if (separator.equals(" ")) {
            text.append(']');
        }
        return advice.isEmpty()
                ? text.toString()
                : text.append(". ").append(advice).toString();
    }
}
