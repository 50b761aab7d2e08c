package io.tutti.launcher.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files either are still files in the format or end in an INPUT error, and cost little memory. */
class FileFuzzTest {

    private static final int ROUNDS = 1_500;

    @TempDir
    Path folder;

    private static final byte[] GOOD = RawFile.bytes("""
            {"rank0.partial":{"dtype":"BF16","shape":[2,8],"data_offsets":[0,32]},\
            "residual":{"dtype":"BF16","shape":[2,8],"data_offsets":[32,64]},\
            "__metadata__":{"a":"b"},\
            "gamma":{"dtype":"BF16","shape":[8],"data_offsets":[64,80]}}""", 80);

    @Test
    void flippedBitsAndCutsAndPastedBytesNeverGiveAnythingElse() throws Exception {
        for (long seed = 0; seed < ROUNDS; seed++) {
            byte[] damaged = damage(new SplittableRandom(seed));
            try {
                openAndReadAll(RawFile.write(folder, damaged));
            } catch (TuttiException e) {
                assertThat(e.code()).as("seed %d", seed).isEqualTo(ErrorCode.INPUT);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static byte[] damage(SplittableRandom random) {
        byte[] bytes = GOOD.clone();
        int headerEnd = bytes.length - 80;
        for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
            int at = random.nextInt(headerEnd);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes[at] = (byte) ('0' + random.nextInt(10));
                default -> bytes[at] = bytes[random.nextInt(headerEnd)];
            }
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 40)) : bytes;
    }

    private static void openAndReadAll(Path path) throws IOException {
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            for (TensorEntry tensor : file.tensors().values()) {
                assertThat(tensor.bytes()).isBetween(0L, (long) GOOD.length + 40);
                file.read(tensor, 0, ByteBuffer.allocate((int) tensor.bytes()));
            }
        }
    }
}
