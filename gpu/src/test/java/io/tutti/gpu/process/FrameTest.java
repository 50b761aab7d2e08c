package io.tutti.gpu.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FrameTest {

    private static final byte[] SECRET = new byte[32];

    private static Frame request() {
        return Frame.request(Service.KEY, 5, 99, 1).sealedBy(SECRET);
    }

    @Test
    void everyFieldSurvivesTheSocket() throws Exception {
        Frame read = Frame.decode(ByteBuffer.wrap(request().encode()));

        assertThat(read.encode()).hasSize(Frame.BYTES).isEqualTo(request().encode());
        assertThat(read.isFor(Service.KEY)).isTrue();
        assertThat(read.peerRank()).isEqualTo(5);
        assertThat(read.exportId()).isEqualTo(99);
        assertThat(read.isSealedBy(SECRET)).isTrue();
    }

    @Test
    void theTicketCoversEveryByteOfTheHeader() {
        SplittableRandom random = new SplittableRandom(1);
        for (int at = 0; at < Frame.BYTES; at++) {
            byte[] bytes = request().encode();
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            int changed = at;
            try {
                Frame read = Frame.decode(ByteBuffer.wrap(bytes));
                assertThat(read.isSealedBy(SECRET)).as("byte %d", changed).isFalse();
            } catch (Frame.Malformed e) {
                assertThat(changed)
                        .as("only magic, version and kind can be malformed")
                        .isLessThan(8);
            }
        }
    }

    @Test
    void eachRankHasAnotherTicket() {
        assertThat(Frame.request(Service.KEY, 5, 99, 1).sealedBy(SECRET).ticket())
                .isNotEqualTo(
                        Frame.request(Service.KEY, 6, 99, 1).sealedBy(SECRET).ticket());
    }

    @Test
    void anotherVersionIsToldFromGarbage() {
        byte[] bytes = request().encode();
        bytes[5]++;
        assertThatThrownBy(() -> Frame.decode(ByteBuffer.wrap(bytes)))
                .isInstanceOfSatisfying(
                        Frame.Malformed.class, e -> assertThat(e.reason()).isEqualTo(RefusalReason.OTHER_VERSION));
        bytes[0]++;
        assertThatThrownBy(() -> Frame.decode(ByteBuffer.wrap(bytes)))
                .isInstanceOfSatisfying(
                        Frame.Malformed.class, e -> assertThat(e.reason()).isEqualTo(RefusalReason.GARBAGE));
    }
}
