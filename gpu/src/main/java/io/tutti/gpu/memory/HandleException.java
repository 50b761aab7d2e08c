package io.tutti.gpu.memory;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import java.util.Optional;

/** One handle kind failed where another may work. */
public final class HandleException extends TuttiException {

    private static final long serialVersionUID = 1L;

    private final HandleKind kind;

    public HandleException(HandleKind kind, ErrorInfo info, TuttiException cause) {
        super(info, cause);
        this.kind = kind;
    }

    /** The handle kind that a failure is due to, if it is due to one. */
    public static Optional<HandleKind> kindOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HandleException handle) {
                return Optional.of(handle.kind);
            }
        }
        return Optional.empty();
    }
}
