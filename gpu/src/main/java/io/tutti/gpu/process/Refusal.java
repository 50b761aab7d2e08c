package io.tutti.gpu.process;

import io.tutti.gpu.posix.PeerCredentials;

/**
 * One connection that a service turned away.
 *
 * @param peer who it was, as the kernel knows it
 * @param reason why
 * @param detail the values that matter, as {@code name=value name=value}
 */
public record Refusal(PeerCredentials peer, RefusalReason reason, String detail) {

    /** One line for people. */
    public String describe() {
        return "refused a local connection, since " + reason.text() + ": " + peer + " " + detail;
    }
}
