package io.tutti.gpu.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.abi.FusedKernels;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.LaunchGeometry;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchTableTest {

    private static final int MULTIPROCESSORS = 132;
    private static final int REGISTERS = 65_536;
    private static final int REGISTERS_PER_THREAD = 64;

    @ParameterizedTest
    @CsvSource({
        // world, algorithm, dtype, tokens, hidden, norm, ranks per device -> kernel, blocks, threads
        "2, ONE_SHOT, BF16, 1, 4096, true, 1, tutti_fused_one_shot_bf16_pair_single, 1, 544",
        "2, ONE_SHOT, BF16, 64, 4096, true, 1, tutti_fused_one_shot_bf16_pair_single, 64, 544",
        "2, ONE_SHOT, BF16, 200, 4096, true, 1, tutti_fused_one_shot_bf16_pair_single, 200, 512",
        "2, ONE_SHOT, BF16, 4096, 4096, true, 1, tutti_fused_one_shot_bf16_pair, 264, 512",
        "2, ONE_SHOT, FP16, 1, 7168, true, 1, tutti_fused_one_shot_fp16_pair_single, 1, 928",
        "2, ONE_SHOT, BF16, 4096, 8192, true, 1, tutti_fused_one_shot_bf16_pair, 132, 1024",
        "2, ONE_SHOT, BF16, 4096, 8200, true, 1, tutti_fused_one_shot_bf16_wide, 132, 1024",
        "2, ONE_SHOT, FP32, 3, 65536, true, 1, tutti_fused_one_shot_fp32_wide, 3, 1024",
        "8, ONE_SHOT, BF16, 300, 2880, true, 1, tutti_fused_one_shot_bf16, 264, 384",
        "8, ONE_SHOT, BF16, 300, 8, true, 1, tutti_fused_one_shot_bf16_single, 300, 32",
        "8, ONE_SHOT, BF16, 9000, 8, true, 1, tutti_fused_one_shot_bf16, 2112, 32",
        "1, ONE_SHOT, FP32, 7, 384, true, 1, tutti_fused_one_shot_fp32_single, 7, 96",
        "8, TWO_SHOT, BF16, 300, 8192, true, 1, tutti_fused_two_shot_bf16, 132, 1024",
        "8, TWO_SHOT, FP16, 300, 16384, true, 1, tutti_fused_two_shot_fp16, 132, 1024",
        "8, TWO_SHOT, FP32, 1, 4096, false, 1, tutti_fused_two_shot_fp32, 1, 512",
        "2, ONE_SHOT, BF16, 64, 8192, false, 1, tutti_fused_one_shot_bf16_pair_single, 128, 512",
        "2, ONE_SHOT, BF16, 1, 65536, false, 1, tutti_fused_one_shot_bf16_pair_single, 16, 512",
        "4, ONE_SHOT, BF16, 4096, 4096, true, 4, tutti_fused_one_shot_bf16, 33, 512",
        "2, TWO_SHOT, BF16, 4096, 8192, true, 2, tutti_fused_two_shot_bf16, 66, 1024",
        "72, ONE_SHOT, BF16, 9, 4096, true, 200, tutti_fused_one_shot_bf16, 1, 512",
        "8, ONE_SHOT, BF16, 132, 2880, true, 1, tutti_fused_one_shot_bf16_single, 132, 416",
        "8, ONE_SHOT, BF16, 133, 2880, true, 1, tutti_fused_one_shot_bf16_single, 133, 384",
        "4, ONE_SHOT, BF16, 33, 4096, true, 4, tutti_fused_one_shot_bf16_single, 33, 544",
    })
    void aLaunchIsSpreadAsTheTableSays(
            int world,
            Algorithm algorithm,
            DType dtype,
            long tokens,
            long hidden,
            boolean norm,
            int ranksPerDevice,
            String kernel,
            int blocks,
            int threads) {
        DeviceShape device = new DeviceShape(MULTIPROCESSORS, 90, ranksPerDevice);

        KernelLaunch launch = LaunchTable.fused(device, world, algorithm, dtype, tokens, hidden, norm, false);

        assertThat(launch).isEqualTo(new KernelLaunch(kernel, new LaunchGeometry(blocks, threads, 1, 0, false)));
    }

    @Test
    void aLaunchTakesItsPlaceEarlyOnlyBehindOurOwnOnADeviceOfItsOwnThatCan() {
        assertThat(early(90, 1, true)).isTrue();
        assertThat(early(100, 1, true)).isTrue();
        assertThat(early(90, 1, false)).isFalse();
        assertThat(early(80, 1, true)).isFalse();
        assertThat(early(90, 2, true)).isFalse();
    }

    private static boolean early(int capability, int ranksPerDevice, boolean follows) {
        DeviceShape device = new DeviceShape(MULTIPROCESSORS, capability, ranksPerDevice);
        return LaunchTable.fused(device, 2, Algorithm.ONE_SHOT, DType.BF16, 8, 4096, true, follows)
                .geometry()
                .programmatic();
    }

    @Test
    void allBlocksOfAllRanksOfADeviceFitOnItAtOnceAndEveryKernelExists() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            int ranks = random.nextInt(3) == 0 ? 1 + random.nextInt(72) : 1;
            DeviceShape device = new DeviceShape(72 + random.nextInt(100), 90, ranks);
            Algorithm algorithm = Algorithm.values()[random.nextInt(2)];
            long hidden = 8 * (1 + random.nextLong(8192));
            long tokens = 1 + random.nextLong(Math.min(1L << random.nextInt(1, 33), (1L << 28) / hidden));
            boolean norm = random.nextBoolean();
            DType dtype = DType.values()[random.nextInt(3)];

            KernelLaunch launch = LaunchTable.fused(
                    device, 1 + random.nextInt(72), algorithm, dtype, tokens, hidden, norm, random.nextBoolean());

            LaunchGeometry geometry = launch.geometry();
            String what = device + " " + algorithm + " " + tokens + " " + hidden + " " + norm + " " + geometry;
            int perMultiprocessor = REGISTERS / REGISTERS_PER_THREAD / geometry.blockThreads();
            assertThat((long) geometry.gridBlocks() * ranks)
                    .as(what)
                    .isLessThanOrEqualTo((long) perMultiprocessor * device.multiprocessors());
            assertThat(geometry.gridBlocks()).as(what).isPositive();
            assertThat(geometry.blockThreads() % 32).as(what).isZero();
            assertThat(geometry.blockThreads()).as(what).isBetween(32, 1024);
            assertThat(FusedKernels.names(algorithm)).as(what).contains(launch.kernel());
        }
    }

    @Test
    void aLaunchWhoseBytesDoNotFitTheKernelsCountersIsRefused() {
        DeviceShape device = new DeviceShape(MULTIPROCESSORS, 90, 1);

        assertThatThrownBy(() -> LaunchTable.fused(
                        device, 2, Algorithm.ONE_SHOT, DType.FP32, (1L << 28) / 4096 + 1, 4096, true, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tokens=65537 hidden=4096");
    }

    @Test
    void kernelsWithoutTensorsAreSpreadByWhatTheyTouch() {
        assertThat(LaunchTable.common(KernelAbi.ARM).geometry()).isEqualTo(new LaunchGeometry(64, 1024, 1, 0, false));
        assertThat(LaunchTable.common(KernelAbi.WRITE_PATTERN).geometry())
                .isEqualTo(new LaunchGeometry(1, 256, 1, 0, false));
        assertThat(LaunchTable.common(KernelAbi.VERIFY_PATTERN).geometry())
                .isEqualTo(new LaunchGeometry(1, 256, 1, 0, false));
    }
}
