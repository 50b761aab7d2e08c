package io.tutti.launcher.safetensors;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words the errors about one file, so that every message names it first. */
record FileText(Path path) {

    private static final int LONGEST_QUOTE = 80;
    private static final int MOST_NUMBERS = 8;

    /** An error about the file's content. */
    TuttiException malformed(String what, String facts, String advice) {
        return malformed(what, facts, advice, null);
    }

    TuttiException malformed(String what, String facts, String advice, @Nullable Throwable cause) {
        String message = what + ": file=" + path + (facts.isEmpty() ? "" : " " + facts);
        return new TuttiException(ErrorInfo.of(ErrorCode.INPUT, message, advice), cause);
    }

    /** An error about one tensor of the file. */
    TuttiException tensor(String name, String what, String facts) {
        return malformed(
                what,
                "tensor=" + quote(name) + " " + facts,
                "The header contradicts itself or the format; " + "write the file again.");
    }

    /** An error of the operating system while the file is written. */
    TuttiException notWritten(String what, Throwable cause) {
        String message = what + ": file=" + path + " reason=" + reason(cause);
        return new TuttiException(
                ErrorInfo.of(ErrorCode.SYSTEM, message, "Check the folder's permissions and free space."), cause);
    }

    /** A list from a file, cut to a readable length. */
    static String brief(List<?> numbers) {
        return numbers.size() <= MOST_NUMBERS
                ? numbers.toString()
                : numbers.subList(0, MOST_NUMBERS) + " and " + (numbers.size() - MOST_NUMBERS) + " more";
    }

    static String reason(Throwable cause) {
        return cause.getClass().getSimpleName() + (cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")");
    }

    /** Text from a file as one short line: it may hold anything, and a terminal will show it. */
    static String quote(String untrusted) {
        StringBuilder text = new StringBuilder("\"");
        int shown = Math.min(untrusted.length(), LONGEST_QUOTE);
        for (int i = 0; i < shown; i++) {
            char c = untrusted.charAt(i);
            if (c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0) || Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append(shown < untrusted.length() ? "…\"" : "\"").toString();
    }
}
