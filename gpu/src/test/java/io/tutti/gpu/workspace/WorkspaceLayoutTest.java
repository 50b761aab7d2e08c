package io.tutti.gpu.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Properties of the layout over random sizes; a failure names its seed. */
final class WorkspaceLayoutTest {

    private record Part(String name, long start, long bytes) {}

    @Test
    void partsAreAlignedWithinBoundsAndNeverOverlap() {
        for (long seed = 0; seed < 400; seed++) {
            WorkspaceLayout layout = WorkspaceLayout.of(randomSpec(seed));
            List<Part> parts = parts(layout);
            parts.sort(Comparator.comparingLong(Part::start));
            long end = 0;
            for (Part part : parts) {
                assertThat(part.start()).as("start of %s, seed=%d", part, seed).isGreaterThanOrEqualTo(end);
                end = part.start() + part.bytes();
            }
            assertThat(end).as("seed=%d", seed).isEqualTo(layout.totalBytes());
        }
    }

    @Test
    void largePartsStartOnTheAlignment() {
        for (long seed = 0; seed < 200; seed++) {
            WorkspaceLayout layout = WorkspaceLayout.of(randomSpec(seed));
            int last = layout.spec().worldSize() - 1;
            assertThat(List.of(
                            layout.abortSlotsOffset(),
                            layout.channelsOffset(),
                            layout.headersOffset(),
                            layout.verifyLine(last),
                            layout.padGuardOffset(),
                            layout.slot(StageRegion.ONE_SHOT, 1, last),
                            layout.slot(StageRegion.SCATTER, 2, last),
                            layout.slot(StageRegion.GATHER_RESIDUAL, 0, last),
                            layout.slot(StageRegion.GATHER_SUM, 2, last),
                            layout.endGuardOffset()))
                    .as("seed=%d", seed)
                    .allMatch(offset -> offset % WorkspaceLayout.ALIGNMENT == 0);
        }
    }

    @Test
    void everySliceOfALaunchFitsItsSlot() {
        for (long seed = 0; seed < 400; seed++) {
            WorkspaceSpec spec = randomSpec(seed);
            WorkspaceLayout layout = WorkspaceLayout.of(spec);
            for (int elementBytes : new int[] {2, 4}) {
                long vectorBytes = (long) WorkspaceLayout.VECTOR_ELEMENTS * elementBytes;
                long vectors = spec.twoShotBytes() / vectorBytes;
                long slice = (vectors + spec.worldSize() - 1) / spec.worldSize() * vectorBytes;
                assertThat(slice).as("seed=%d", seed).isLessThanOrEqualTo(layout.sliceBytes());
            }
        }
    }

    @Test
    void thePadGrowsWithTheWorldAndTheWholeWithItsStages() {
        for (int world = 1; world < WorkspaceLayout.MAX_WORLD; world++) {
            WorkspaceLayout layout = WorkspaceLayout.of(new WorkspaceSpec(world, 4096, 8192));
            assertThat(WorkspaceLayout.of(new WorkspaceSpec(world + 1, 4096, 8192))
                            .padBytes())
                    .isGreaterThan(layout.padBytes());
            assertThat(WorkspaceLayout.of(new WorkspaceSpec(world, 4224, 8192)).totalBytes())
                    .isGreaterThan(layout.totalBytes());
            assertThat(WorkspaceLayout.of(new WorkspaceSpec(world, 4096, 1 << 20))
                            .totalBytes())
                    .isGreaterThan(layout.totalBytes());
        }
    }

    @Test
    void refusesSizesThatOverflowOrAreNotWholeLines() {
        for (WorkspaceSpec spec : List.of(
                new WorkspaceSpec(72, 1L << 60, 1 << 20),
                new WorkspaceSpec(2, 128, Long.MAX_VALUE & -128),
                new WorkspaceSpec(2, 100, 4096),
                new WorkspaceSpec(2, 0, 4096),
                new WorkspaceSpec(2, 4096, -128),
                new WorkspaceSpec(0, 4096, 4096),
                new WorkspaceSpec(73, 4096, 4096))) {
            assertThatThrownBy(() -> WorkspaceLayout.of(spec))
                    .as(spec.toString())
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIGURATION));
        }
    }

    @Test
    void refusesPlacesThatDoNotExist() {
        WorkspaceLayout layout = WorkspaceLayout.of(new WorkspaceSpec(4, 4096, 4096));
        assertThatThrownBy(() -> layout.slot(StageRegion.SCATTER, 3, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> layout.slot(StageRegion.SCATTER, 0, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> layout.header(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static WorkspaceSpec randomSpec(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new WorkspaceSpec(
                1 + random.nextInt(WorkspaceLayout.MAX_WORLD),
                128L * (1 + random.nextInt(1 << random.nextInt(1, 20))),
                128L * (1 + random.nextInt(1 << random.nextInt(1, 20))));
    }

    private static List<Part> parts(WorkspaceLayout layout) {
        List<Part> parts = new ArrayList<>();
        int world = layout.spec().worldSize();
        for (int rank = 0; rank < world; rank++) {
            parts.add(new Part("kernel abort " + rank, layout.kernelAbortSlot(rank), 4));
            parts.add(new Part("control abort " + rank, layout.controlAbortSlot(rank), 4));
            parts.add(new Part("channel " + rank, layout.channel(rank), 8));
            parts.add(new Part("verify " + rank, layout.verifyLine(rank), WorkspaceLayout.VERIFY_BYTES));
            for (int stage = 0; stage < WorkspaceLayout.STAGES; stage++) {
                parts.add(new Part("header", layout.header(stage, rank), WorkspaceLayout.HEADER_BYTES));
                for (StageRegion region : StageRegion.values()) {
                    parts.add(new Part(region.name(), layout.slot(region, stage, rank), layout.slotBytes(region)));
                }
            }
        }
        parts.add(new Part("pad guard", layout.padGuardOffset(), WorkspaceLayout.GUARD_BYTES));
        parts.add(new Part("end guard", layout.endGuardOffset(), WorkspaceLayout.GUARD_BYTES));
        return parts;
    }
}
