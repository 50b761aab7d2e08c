package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What goes over the wire comes out equal, whatever it holds. */
final class WireRoundTripTest {

    private static final int SEEDS = 500;

    private static WireSystem wire;

    @BeforeAll
    static void start() {
        wire = new WireSystem();
    }

    @AfterAll
    static void stop() {
        wire.close();
    }

    @Test
    void everyKindComesBackEqual() {
        for (long seed = 0; seed < SEEDS; seed++) {
            long current = seed;
            messages(seed).oneOfEachKind().forEach(message -> {
                byte[] bytes = wire.bytes(message);
                assertThat(parsed(bytes, message, current))
                        .as("seed=%d", current)
                        .isEqualTo(message);
            });
        }
    }

    @Test
    void equalMessagesHaveEqualBytes() {
        for (long seed = 0; seed < SEEDS; seed++) {
            long current = seed;
            messages(seed).oneOfEachKind().forEach(message -> {
                byte[] bytes = wire.bytes(message);
                assertThat(wire.bytes(parsed(bytes, message, current)))
                        .as("seed=%d", current)
                        .isEqualTo(bytes);
            });
        }
    }

    @Test
    void aBufferHoldsTheSameBytesAsAnArray() {
        messages(1).oneOfEachKind().forEach(message -> {
            for (ByteBuffer buffer :
                    new ByteBuffer[] {ByteBuffer.allocate(1 << 16), ByteBuffer.allocateDirect(1 << 16)}) {
                buffer.put((byte) 9);
                wire.serializer().toBinary(message, buffer);
                buffer.flip();
                buffer.get();
                byte[] written = new byte[buffer.remaining()];
                buffer.duplicate().get(written);
                assertThat(written).isEqualTo(wire.bytes(message));
                assertThat(parsed(buffer, message)).isEqualTo(message);
            }
        });
    }

    private static RandomMessages messages(long seed) {
        return new RandomMessages(seed, wire.remoteRank());
    }

    private static WireMessage parsed(byte[] bytes, WireMessage original, long seed) {
        try {
            return wire.parse(bytes, wire.serializer().manifest(original));
        } catch (NotSerializableException e) {
            throw new AssertionError("refused: seed=" + seed + " message=" + original, e);
        }
    }

    private static Object parsed(ByteBuffer buffer, WireMessage original) {
        try {
            return wire.serializer().fromBinary(buffer, wire.serializer().manifest(original));
        } catch (NotSerializableException e) {
            throw new AssertionError("refused: message=" + original, e);
        }
    }
}
