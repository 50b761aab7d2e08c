package io.tutti.actors.wire;

/** The version of what messages mean. Fields may be added within a version; another meaning is another version. */
public final class ProtocolVersion {

    /** This build's version. */
    public static final int CURRENT = 1;

    private ProtocolVersion() {}

    /** Refuses messages of a build that this one cannot understand. */
    static void check(int received) {
        if (received < 1) {
            throw new WireFormatException("message carries no protocol version: own=" + CURRENT);
        }
        if (received > CURRENT) {
            throw new WireFormatException(
                    "message of a newer protocol version: received=" + received + " own=" + CURRENT);
        }
    }
}
