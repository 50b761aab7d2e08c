package io.tutti.actors.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.tutti.proto.ProcessExitedProto;
import io.tutti.proto.ToCoordinatorProto;
import io.tutti.proto.ToRankProto;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Pekko's serialiser of every {@link WireMessage}. Thread-safe. Bytes that are no message of this build end in
 * {@link NotSerializableException}, which remoting logs and survives.
 */
public final class TuttiSerializer extends SerializerWithStringManifest implements ByteBufferSerializer {

    /** Fixed for ever: receivers choose the serialiser by this number alone. */
    public static final int IDENTIFIER = 7788;

    /** The manifest of {@link ToCoordinator}, first form. */
    static final String TO_COORDINATOR = "C1";

    /** The manifest of {@link ToRank}, first form. */
    static final String TO_RANK = "R1";

    /** The manifest of {@link ProcessExited}, first form. */
    static final String PROCESS_EXITED = "X1";

    private final EnvelopeWire envelopes;

    /** Called by Pekko. */
    public TuttiSerializer(ExtendedActorSystem system) {
        this.envelopes = new EnvelopeWire(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        if (message instanceof ToCoordinator) {
            return TO_COORDINATOR;
        }
        if (message instanceof ToRank) {
            return TO_RANK;
        }
        if (message instanceof ProcessExited) {
            return PROCESS_EXITED;
        }
        throw notOurs(message);
    }

    /**
     * The message's bytes.
     *
     * @throws MessageTooLargeException when remoting would drop them
     * @throws WireFormatException when the message holds a value that has no form on the wire
     */
    @Override
    public byte[] toBinary(Object message) {
        return toProto(message).toByteArray();
    }

    /** As {@link #toBinary(Object)}, into remoting's own buffer. */
    @Override
    public void toBinary(Object message, ByteBuffer buffer) {
        CodedOutputStream output = CodedOutputStream.newInstance(buffer);
        try {
            toProto(message).writeTo(output);
            output.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a buffer smaller than the message", e);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        return read(CodedInputStream.newInstance(bytes), manifest);
    }

    @Override
    public Object fromBinary(ByteBuffer buffer, String manifest) throws NotSerializableException {
        return read(CodedInputStream.newInstance(buffer), manifest);
    }

    private MessageLite toProto(Object message) {
        if (message instanceof WireMessage envelope) {
            return envelopes.toProto(envelope);
        }
        throw notOurs(message);
    }

    private WireMessage read(CodedInputStream input, String manifest) throws NotSerializableException {
        try {
            return switch (manifest) {
                case TO_COORDINATOR -> envelopes.toEnvelope(ToCoordinatorProto.parseFrom(input));
                case TO_RANK -> envelopes.toEnvelope(ToRankProto.parseFrom(input));
                case PROCESS_EXITED -> envelopes.toEnvelope(ProcessExitedProto.parseFrom(input));
                default ->
                    throw new NotSerializableException("unknown manifest: manifest=" + manifest + " serializer="
                            + IDENTIFIER + "; run the same Tutti version on all processes of the cluster");
            };
        } catch (NotSerializableException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Constructors of the records refuse values too, each in its own way.
            NotSerializableException refused =
                    new NotSerializableException("not a message of this build: manifest=" + manifest + " serializer="
                            + IDENTIFIER + " protocolVersion=" + ProtocolVersion.CURRENT + ": " + e.getMessage());
            refused.initCause(e);
            throw refused;
        }
    }

    private static IllegalArgumentException notOurs(Object message) {
        return new IllegalArgumentException(
                "not a message of this serializer: class=" + message.getClass().getName());
    }
}
