package io.tutti.actors.wire;

import com.typesafe.config.Config;

/**
 * The largest message that surely fits into a remoting frame. Remoting drops a larger frame and only logs it, so the
 * bound leaves room for what the frame holds beside the message.
 *
 * @param frameBytes remoting's maximum frame size
 */
record FrameBound(long frameBytes) {

    static final String SETTING = "pekko.remote.artery.advanced.maximum-frame-size";

    /** For remoting's header: fields, manifest and the two actors' paths, which have no bound of their own. */
    static final int HEADROOM_BYTES = 16 * 1024;

    private static final long DEFAULT_FRAME_BYTES = 256 * 1024;

    /** The bound of a system's configuration; remoting's own default where remoting is not on the class path. */
    static FrameBound of(Config config) {
        return new FrameBound(config.hasPath(SETTING) ? config.getBytes(SETTING) : DEFAULT_FRAME_BYTES);
    }

    /** Bytes that one message may take. */
    long bytes() {
        return Math.max(0, frameBytes - HEADROOM_BYTES);
    }

    /**
     * Refuses what does not fit.
     *
     * @throws MessageTooLargeException naming the message, its size, the limit and the setting
     */
    void check(WireMessage message, int bytes) {
        if (bytes > bytes()) {
            throw new MessageTooLargeException(message, bytes, this);
        }
    }
}
