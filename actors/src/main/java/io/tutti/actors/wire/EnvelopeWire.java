package io.tutti.actors.wire;

import com.google.protobuf.MessageLite;
import io.tutti.proto.HeaderProto;
import io.tutti.proto.ProcessExitedProto;
import io.tutti.proto.ToCoordinatorProto;
import io.tutti.proto.ToRankProto;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;

/** The envelopes. Thread-safe. */
final class EnvelopeWire {

    private final ActorRefResolver actors;
    private final FrameBound bound;

    EnvelopeWire(ActorSystem<?> system) {
        this.actors = ActorRefResolver.get(system);
        this.bound = FrameBound.of(system.settings().config());
    }

    /**
     * The envelope's form on the wire.
     *
     * @throws MessageTooLargeException when remoting would drop it
     */
    MessageLite toProto(WireMessage envelope) {
        MessageLite proto;
        if (envelope instanceof ToCoordinator toCoordinator) {
            proto = toProto(toCoordinator);
        } else if (envelope instanceof ToRank toRank) {
            proto = toProto(toRank);
        } else if (envelope instanceof ProcessExited exited) {
            proto = toProto(exited);
        } else {
            throw Require.unmapped(envelope);
        }
        bound.check(envelope, proto.getSerializedSize());
        return proto;
    }

    private ToCoordinatorProto toProto(ToCoordinator envelope) {
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

    private ToRankProto toProto(ToRank envelope) {
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

    private ProcessExitedProto toProto(ProcessExited envelope) {
        return ProcessExitedProto.newBuilder()
                .setHeader(header(envelope))
                .setProcessId(envelope.processId())
                .setHow(envelope.how())
                .build();
    }

    ProcessExited toEnvelope(ProcessExitedProto envelope) {
        check(envelope.hasHeader(), envelope.getHeader());
        return new ProcessExited(
                envelope.getHeader().getCommunicator(),
                envelope.getHeader().getInstance(),
                envelope.getProcessId(),
                envelope.getHow());
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
