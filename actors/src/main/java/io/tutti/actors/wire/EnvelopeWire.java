package io.tutti.actors.wire;

import io.tutti.proto.HeaderProto;
import io.tutti.proto.ToCoordinatorProto;
import io.tutti.proto.ToRankProto;
import org.apache.pekko.actor.typed.ActorRefResolver;

/** The envelopes. Thread-safe. */
final class EnvelopeWire {

    private final ActorRefResolver actors;

    EnvelopeWire(ActorRefResolver actors) {
        this.actors = actors;
    }

    ToCoordinatorProto toProto(ToCoordinator envelope) {
        return ToCoordinatorProto.newBuilder()
                .setHeader(header(envelope))
                .setReplyTo(actors.toSerializationFormat(envelope.replyTo()))
                .setMessage(CoordinatorMessageWire.toProto(envelope.message()))
                .build();
    }

    ToCoordinator toEnvelope(ToCoordinatorProto envelope) {
        check(envelope.hasHeader(), envelope.getHeader());
        return new ToCoordinator(
                envelope.getHeader().getCommunicator(),
                envelope.getHeader().getInstance(),
                actors.resolveActorRef(Require.filled("replyTo", envelope.getReplyTo())),
                CoordinatorMessageWire.toMessage(envelope.hasMessage(), envelope.getMessage()));
    }

    ToRankProto toProto(ToRank envelope) {
        return ToRankProto.newBuilder()
                .setHeader(header(envelope))
                .setMessage(RankMessageWire.toProto(envelope.message()))
                .build();
    }

    ToRank toEnvelope(ToRankProto envelope) {
        check(envelope.hasHeader(), envelope.getHeader());
        return new ToRank(
                envelope.getHeader().getCommunicator(),
                envelope.getHeader().getInstance(),
                RankMessageWire.toMessage(envelope.hasMessage(), envelope.getMessage()));
    }

    private static HeaderProto header(WireMessage message) {
        return HeaderProto.newBuilder()
                .setProtocolVersion(ProtocolVersion.CURRENT)
                .setCommunicator(message.communicator())
                .setInstance(message.instance())
                .build();
    }

    /** Before anything else is looked at: the rest of another version's message means nothing here. */
    private static void check(boolean present, HeaderProto header) {
        Require.present("header", present);
        ProtocolVersion.check(header.getProtocolVersion());
    }
}
