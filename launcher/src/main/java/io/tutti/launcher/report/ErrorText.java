package io.tutti.launcher.report;

import io.tutti.gpu.ErrorInfo;
import org.jspecify.annotations.Nullable;

/** A failure for people: what happened, where, and what to do, without a stack trace. */
public final class ErrorText {

    private ErrorText() {}

    /** Lines, the last one ended. */
    public static String of(String command, ErrorInfo error) {
        StringBuilder text = new StringBuilder();
        text.append(command).append(": ").append(error.message()).append(System.lineSeparator());
        String where = where(error);
        if (!where.isEmpty()) {
            text.append("  where: ").append(where).append(System.lineSeparator());
        }
        if (!error.advice().isEmpty()) {
            text.append("  ").append(error.advice()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private static String where(ErrorInfo error) {
        StringBuilder text = new StringBuilder();
        append(text, "rank", error.rank());
        append(text, "call", error.call());
        append(text, "result", error.result());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.isEmpty() ? "" : " ").append(name).append('=').append(value);
        }
    }
}
