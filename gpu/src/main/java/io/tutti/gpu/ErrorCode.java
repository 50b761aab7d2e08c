package io.tutti.gpu;

/** What kind of failure an {@link ErrorInfo} reports; callers decide by this code, never by message text. */
public enum ErrorCode {
    /** A call or a command line that can never work as written. */
    USAGE("usage"),
    /** A configuration value that is unknown, out of range or contradicts another. */
    CONFIGURATION("configuration"),
    /** Input data that cannot be read as what it claims to be. */
    INPUT("input"),
    /** No path works for all ranks, or a stage of forming an epoch failed. */
    PREFLIGHT("preflight"),
    /** A driver call answered with an error. */
    DRIVER("driver"),
    /** The operating system refused something: a port, a file, memory. */
    SYSTEM("system"),
    /** A peer rank or its process was lost. */
    REMOTE("remote"),
    /** Something did not happen by its deadline. */
    TIMEOUT("timeout"),
    /** The operation's epoch was aborted by another rank or by the runtime. */
    ABORTED("aborted"),
    /** Ranks called with different shapes, types, parameters or order. */
    MISMATCH("mismatch"),
    /** A committed epoch or a graph that is no longer current. */
    STALE("stale"),
    /** The communicator, rank or runtime was closed. */
    CLOSED("closed"),
    /** A result that is wrong, or an invariant of Tutti itself that does not hold. */
    INTERNAL("internal");

    private final String wireName;

    ErrorCode(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in JSON and on the wire; fixed for ever. */
    public String wireName() {
        return wireName;
    }
}
