package io.tutti.actors.wire;

import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Refuses a message that remoting would drop, on the thread of the actor that is about to send it. The serialiser
 * refuses it too, but on remoting's own thread, where only a log tells. Thread-safe.
 */
public final class SizeCheck {

    private final EnvelopeWire envelopes;

    private SizeCheck(EnvelopeWire envelopes) {
        this.envelopes = envelopes;
    }

    /** The check for messages that leave this system. */
    public static SizeCheck of(ActorSystem<?> system) {
        return new SizeCheck(new EnvelopeWire(system));
    }

    /**
     * Costs about as much as serialising: for the messages that carry every rank's facts or offers.
     *
     * @throws MessageTooLargeException naming the message, its size, the limit and the setting
     */
    public void check(WireMessage message) {
        envelopes.toProto(message);
    }
}
