package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.workspace.StageRegion;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Clears the stage of the call before, in all regions, by what that call used, a little at a time: cache lines that the
 * peer had take their time, and meanwhile there is something to compute. All of it is done when {@link #finish} returns,
 * and so before the next call's header.
 */
final class StageClearer {

    private @Nullable KernelCall call;
    private int region;
    private int source;
    private long at;
    private long bytes;

    /** Turns to a call; nothing is cleared yet. */
    void start(KernelCall current) {
        call = current;
        region = -1;
        nextRegion();
    }

    /** Clears up to {@code words} words of each source's slot in the region at hand. */
    void step(int words) {
        advance((long) words * Integer.BYTES * Math.max(1, call().world() - 1));
    }

    /** Clears the rest. */
    void finish() {
        advance(Long.MAX_VALUE);
    }

    private void advance(long quota) {
        long left = quota;
        while (left > 0 && region < StageSlots.REGIONS.length) {
            if (source == call().rank()) {
                nextSource();
                continue;
            }
            long count = Math.min(left, bytes - at);
            StageRegion current = StageSlots.REGIONS[region];
            long start = StageSlots.address(call(), current, call().rank(), call().retiredStage(), source);
            StageSlots.fill(call().memory(), start + at, count);
            at += count;
            left -= count;
            if (at == bytes) {
                nextSource();
            }
        }
    }

    private void nextSource() {
        at = 0;
        source++;
        if (source == call().world()) {
            nextRegion();
        }
    }

    private void nextRegion() {
        source = 0;
        at = 0;
        bytes = 0;
        for (region++; region < StageSlots.REGIONS.length; region++) {
            int field = ControlBlock.clearBytes(StageSlots.REGIONS[region], call().retiredStage());
            bytes = call().controlLong(field);
            if (bytes > 0) {
                call().setControlLong(field, 0);
                return;
            }
        }
    }

    private KernelCall call() {
        return Objects.requireNonNull(call);
    }
}
