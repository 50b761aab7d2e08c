package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One region's stage for one call, where data is pulled: each rank stores into its own workspace alone, from the start of
 * the stage on, and loads from its peers'. Nothing has to be cleared, since {@link CallProgress} says how far a rank is.
 * Offsets are in 32-bit words.
 */
final class PulledRow {

    private final StageRegion region;
    private final @Nullable MemoryWindow[] windows = new MemoryWindow[WorkspaceLayout.MAX_WORLD];
    private final int[] words = new int[WorkspaceLayout.MAX_WORLD];

    PulledRow(StageRegion region) {
        this.region = region;
    }

    /** Turns to this call's stage, of whose rows {@code bytes} bytes are used. */
    void open(KernelCall call, long bytes) {
        for (int owner = 0; owner < call.world(); owner++) {
            Span span = call.memory().span(StageSlots.address(call, region, owner, call.stage(), 0), bytes);
            windows[owner] = span.window();
            words[owner] = span.offset() / Integer.BYTES;
        }
    }

    void store(int rank, long at, int[] values, int from, int count) {
        window(rank).ints().put(words[rank] + (int) at, values, from, count);
    }

    void store(int rank, long at, float[] values, int from, int count) {
        window(rank).floats().put(words[rank] + (int) at, values, from, count);
    }

    void load(int owner, long at, int[] values, int to, int count) {
        window(owner).ints().get(words[owner] + (int) at, values, to, count);
    }

    void load(int owner, long at, float[] values, int to, int count) {
        window(owner).floats().get(words[owner] + (int) at, values, to, count);
    }

    private MemoryWindow window(int owner) {
        return Objects.requireNonNull(windows[owner]);
    }
}
