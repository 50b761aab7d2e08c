package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.NotSerializableException;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bytes that were damaged are either another message or refused in the one way that remoting survives. */
final class WireFuzzTest {

    private static final long SEED = 20_260_101;
    private static final int DAMAGES_PER_SAMPLE = 2_000;

    private static WireSystem wire;
    private static Map<String, WireMessage> samples;

    @BeforeAll
    static void start() {
        wire = new WireSystem();
        samples = Samples.all(wire.remoteRank());
    }

    @AfterAll
    static void stop() {
        wire.close();
    }

    @Test
    void everyTruncationIsAMessageOrRefused() {
        samples.forEach((name, sample) -> {
            byte[] whole = wire.bytes(sample);
            for (int length = 0; length < whole.length; length++) {
                check(name + " cut to " + length, Arrays.copyOf(whole, length), manifest(sample));
            }
        });
    }

    @Test
    void flippedBitsAreAMessageOrRefused() {
        SplittableRandom random = new SplittableRandom(SEED);
        samples.forEach((name, sample) -> {
            byte[] whole = wire.bytes(sample);
            for (int damage = 0; damage < DAMAGES_PER_SAMPLE; damage++) {
                byte[] damaged = whole.clone();
                for (int flips = 1 + random.nextInt(6); flips > 0; flips--) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                check(name + " damage " + damage + " of seed " + SEED, damaged, manifest(sample));
            }
        });
    }

    @Test
    void oneEnvelopesBytesUnderTheOthersManifestAreAMessageOrRefused() {
        samples.forEach((name, sample) -> {
            String other = manifest(sample).equals(TuttiSerializer.TO_RANK)
                    ? TuttiSerializer.TO_COORDINATOR
                    : TuttiSerializer.TO_RANK;
            check(name + " as " + other, wire.bytes(sample), other);
        });
    }

    @Test
    void noiseIsAMessageOrRefused() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            check("noise " + i + " of seed " + SEED, noise, i % 2 == 0 ? "C1" : "R1");
        }
    }

    private static void check(String what, byte[] bytes, String manifest) {
        try {
            WireMessage message = wire.parse(bytes, manifest);
            byte[] again = wire.bytes(message);
            assertThat(wire.parse(again, manifest)).as(what).isEqualTo(message);
        } catch (NotSerializableException e) {
            assertThat(e.getMessage()).as(what).isNotBlank();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }

    private static String manifest(WireMessage message) {
        return wire.serializer().manifest(message);
    }
}
