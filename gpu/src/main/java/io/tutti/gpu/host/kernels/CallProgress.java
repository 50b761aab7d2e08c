package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.util.Arrays;

/**
 * How far each rank is in a call: two counters in the place of the header that a rank would send itself. A rank writes its
 * own and its peers read them there. They begin at 0 before the header of the call is sent, and grow with release stores,
 * so whoever has seen a count sees all that it counts.
 */
final class CallProgress {

    /** Words of the own partial that peers can load, or {@link #IN_PLACE}. */
    static final int PARTIAL = 0;

    /** Words of the own result that peers can load, {@link #ALL} when it is complete and no peer's partial is needed more. */
    static final int RESULT = 1;

    /** In {@link #PARTIAL}: the partial is to be read where it is, all of it. */
    static final long IN_PLACE = -1;

    static final long ALL = Long.MAX_VALUE;

    private static final int COUNTERS = 2;

    private final long[] seen = new long[COUNTERS * WorkspaceLayout.MAX_WORLD];

    /** Turns to a call, before its header is sent. */
    void start(KernelCall call, long partial) {
        Arrays.fill(seen, 0, COUNTERS * call.world(), 0);
        put(call, PARTIAL, partial);
        put(call, RESULT, 0);
    }

    private static void put(KernelCall call, int counter, long value) {
        MemoryWindow.LONG.setOpaque(call.pad(call.rank()), at(call, call.rank(), counter), value);
    }

    /** Makes everything stored before visible to whoever sees the count. */
    static void publish(KernelCall call, int counter, long count) {
        MemoryWindow.LONG.setRelease(call.pad(call.rank()), at(call, call.rank(), counter), count);
    }

    /** A peer's count as it is now. */
    static long read(KernelCall call, int owner, int counter) {
        return (long) MemoryWindow.LONG.getAcquire(call.pad(owner), at(call, owner, counter));
    }

    /**
     * Waits until a peer's count is at least {@code count}.
     *
     * @return false when the kernel has left
     */
    boolean await(KernelCall call, int owner, int counter, long count) {
        int index = COUNTERS * owner + counter;
        for (int round = 0; seen[index] < count; round++) {
            seen[index] = read(call, owner, counter);
            if (seen[index] < count && !call.pause(round, owner)) {
                return false;
            }
        }
        return true;
    }

    private static int at(KernelCall call, int owner, int counter) {
        return call.padOffset(owner) + CallHeaders.offset(call, call.stage(), owner) + counter * Long.BYTES;
    }
}
