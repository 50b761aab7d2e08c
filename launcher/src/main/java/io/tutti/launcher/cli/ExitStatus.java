package io.tutti.launcher.cli;

import io.tutti.gpu.ErrorCode;

/** What the process answers; part of the public surface. */
public final class ExitStatus {

    /** Everything was right. */
    public static final int GOOD = 0;

    /** A wrong result, or a run that failed. */
    public static final int FAILED = 1;

    /** Bad usage, configuration or input, or something it names (a port, a file, memory) is not to be had. */
    public static final int BAD_REQUEST = 2;

    /** The result is right, but something that the facts promised was refused when tried. */
    public static final int PROMISE_REFUSED = 3;

    private ExitStatus() {}

    /** The status for a failure of that kind. */
    public static int of(ErrorCode code) {
        return switch (code) {
            case USAGE, CONFIGURATION, INPUT, SYSTEM -> BAD_REQUEST;
            case PREFLIGHT, DRIVER, REMOTE, TIMEOUT, ABORTED, MISMATCH, STALE, CLOSED, INTERNAL -> FAILED;
        };
    }
}
