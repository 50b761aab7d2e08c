package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.RankMessage;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Bytes that were committed once are read and written for ever. A new message gets a sample and then its file by
 * running this test with {@code -Dgolden.write=missing}, which never touches a file that is there.
 */
final class GoldenBytesTest {

    private static final String WRITE = "golden.write";

    private static WireSystem wire;
    private static Map<String, WireMessage> samples;

    @BeforeAll
    static void start() throws IOException {
        wire = new WireSystem();
        samples = Samples.all(wire.remoteRank());
        if ("missing".equals(System.getProperty(WRITE))) {
            writeMissing();
        }
    }

    @AfterAll
    static void stop() {
        wire.close();
    }

    @Test
    void everyKindOfMessageHasASample() {
        Set<Class<?>> expected = new LinkedHashSet<>(RecordShapes.possible(CoordinatorMessage.class));
        expected.addAll(RecordShapes.possible(RankMessage.class));
        Set<Class<?>> held = new LinkedHashSet<>();
        samples.values().forEach(sample -> held.addAll(RecordShapes.held(sample)));
        assertThat(held).as("records held by the samples").containsAll(expected);
    }

    @Test
    void everySampleHasAFileAndEveryFileASample() throws IOException {
        assertThat(GoldenFile.committed())
                .as("golden files; write new ones with -D%s=missing", WRITE)
                .isEqualTo(samples.keySet());
    }

    @TestFactory
    Stream<DynamicTest> committedBytesAreReadAsTheSample() {
        return samples.entrySet().stream()
                .map(sample -> DynamicTest.dynamicTest(sample.getKey(), () -> {
                    byte[] bytes = new GoldenFile(sample.getKey()).bytes();
                    assertThat(wire.parse(bytes, wire.serializer().manifest(sample.getValue())))
                            .isEqualTo(sample.getValue());
                }));
    }

    @TestFactory
    Stream<DynamicTest> samplesAreWrittenAsTheCommittedBytes() {
        return samples.entrySet().stream()
                .map(sample -> DynamicTest.dynamicTest(
                        sample.getKey(),
                        () -> assertThat(wire.bytes(sample.getValue()))
                                .isEqualTo(new GoldenFile(sample.getKey()).bytes())));
    }

    private static void writeMissing() throws IOException {
        for (Map.Entry<String, WireMessage> sample : samples.entrySet()) {
            GoldenFile file = new GoldenFile(sample.getKey());
            if (!file.exists()) {
                WireMessage message = sample.getValue();
                file.write(
                        message.getClass().getSimpleName() + " with " + message.kind() + ", manifest "
                                + wire.serializer().manifest(message),
                        wire.bytes(message));
            }
        }
    }
}
