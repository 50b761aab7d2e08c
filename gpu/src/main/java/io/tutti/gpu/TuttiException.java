package io.tutti.gpu;

import java.util.Objects;

/**
 * The root of every failure that Tutti reports. Each instance carries one {@link ErrorInfo}: which code, on which rank,
 * at which call, with which result, and what to do about it. Instances are immutable and may be shared between threads.
 */
public class TuttiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ErrorInfo info;

    public TuttiException(ErrorInfo info) {
        this(info, null);
    }

    public TuttiException(ErrorInfo info, @org.jspecify.annotations.Nullable Throwable cause) {
        super(info.describe(), cause);
        this.info = Objects.requireNonNull(info, "info");
    }

    /** The structured form of this failure. */
    public ErrorInfo info() {
        return info;
    }

    public ErrorCode code() {
        return info.code();
    }
}
