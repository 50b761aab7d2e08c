package io.tutti.launcher.run;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns what futures throw into the one kind of failure that is reported. */
public final class Failures {

    private Failures() {}

    /** The typed failure inside, or anything else as one with code INTERNAL. */
    public static TuttiException asTutti(Throwable failure, String when) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof TuttiException typed) {
            return typed;
        }
        return new TuttiException(
                ErrorInfo.of(
                        ErrorCode.INTERNAL,
                        "an unexpected failure " + when + ": " + cause,
                        "Report this with the output of --verbose."),
                cause);
    }

    /** A failure as data, whatever was thrown. */
    public static ErrorInfo info(Throwable failure) {
        return failure instanceof TuttiException typed
                ? typed.info()
                : ErrorInfo.of(
                        ErrorCode.INTERNAL,
                        "unexpected failure: " + failure,
                        "Run it again with --verbose and report the stack trace.");
    }

    /** The failure that explains the others: a rank that was only aborted tells what followed, not what went wrong. */
    public static TuttiException mostTelling(List<TuttiException> failures) {
        return failures.stream()
                .filter(failure -> failure.code() != ErrorCode.ABORTED)
                .findFirst()
                .orElse(failures.get(0));
    }
}
