package io.tutti.gpu.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The committed digests are those of the scalar reference over the seeded inputs, on any JDK. */
final class ExpectedOutputTest {

    @Test
    void theScalarReferenceGivesTheCommittedDigests() throws IOException {
        for (ExpectedOutput expected : ExpectedOutput.all()) {
            assertThat(expected.compute()).as(expected.toString()).isEqualTo(expected.sha256());
        }
    }
}
