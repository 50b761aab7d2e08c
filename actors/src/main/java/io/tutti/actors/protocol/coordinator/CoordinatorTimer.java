package io.tutti.actors.protocol.coordinator;

/**
 * The coordinator's timers. Starting one that runs replaces it, and one that was cancelled or replaced never fires; the
 * shell holds to that.
 */
public enum CoordinatorTimer {
    /** The one deadline of the current phase or stage. */
    DEADLINE,
    /** Orders that are not answered yet are sent again. */
    RESEND
}
