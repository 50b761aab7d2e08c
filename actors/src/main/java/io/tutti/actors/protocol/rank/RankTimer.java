package io.tutti.actors.protocol.rank;

/**
 * A rank's timers. Starting one that runs replaces it, and one that was cancelled or replaced never fires; the shell
 * holds to that.
 */
public enum RankTimer {
    /** Says hello again. */
    HELLO,
    /** What the coordinator has not answered is sent again. */
    RESEND,
    /** The deadline for the coordinator's next word about the epoch. */
    PATIENCE,
    /** The deadline for being told that the communicator is closed, and then for the device to drain. */
    LEAVE
}
