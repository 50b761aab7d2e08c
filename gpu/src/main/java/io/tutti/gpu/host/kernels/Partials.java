package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryPlace;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import io.tutti.gpu.workspace.StageRegion;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All ranks' partials for one call. Each rank decides for its own whether peers read it in place, which they can where they
 * have mapped its memory, or from the rank's row of the stage, to which it is copied step by step. A rank says in its pad
 * where its partial is; a peer that could not read it there maps it after the call, and says so for the next one. Offsets
 * are in 32-bit words from the tensor's start.
 */
final class Partials {

    /** A rank's own verify line holds a place for each stage, a peer's the serial numbers of what that peer has mapped. */
    private static final int MAPPED = WorkspaceLayout.VERIFY_BYTES / Long.BYTES;

    final CallProgress progress = new CallProgress();
    private final PulledRow oneShotRow = new PulledRow(StageRegion.ONE_SHOT);
    private final PulledRow scatterRow = new PulledRow(StageRegion.SCATTER);
    private final MemoryPlace place = new MemoryPlace();
    private final @Nullable MemoryWindow[] windows = new MemoryWindow[WorkspaceLayout.MAX_WORLD];
    private final int[] offsets = new int[WorkspaceLayout.MAX_WORLD];
    private @Nullable PulledRow row;
    private boolean inPlace;
    private boolean unmapped;
    private long bytes;
    private long checkedWorkspace;
    private long checkedEpoch = -1;
    private boolean onOneHost;

    /** Before the header: says where this rank's partial will be. */
    void open(KernelCall call, StageRegion region, long address, long tensorBytes) {
        bytes = tensorBytes;
        row = region == StageRegion.ONE_SHOT ? oneShotRow : scatterRow;
        row.open(call, tensorBytes);
        place.clear();
        if (areOnOneHost(call)) {
            call.memory().locate(address, tensorBytes, place);
        }
        inPlace = call.world() == 1 || (place.isKnown() && allHaveMapped(call, place.serial()));
        place.write(call.pad(call.rank()), placeAt(call, call.rank()));
        progress.start(call, inPlace ? CallProgress.IN_PLACE : 0);
    }

    /** Whether peers read this rank's partial where it is; otherwise it is to be stored with {@link #store}. */
    boolean inPlace() {
        return inPlace;
    }

    /**
     * Behind all headers: finds the peers' partials.
     *
     * @return false when the kernel has left
     */
    boolean find(KernelCall call) {
        unmapped = false;
        for (int peer = 0; peer < call.world(); peer++) {
            windows[peer] = null;
            if (peer == call.rank()) {
                continue;
            }
            boolean there = CallProgress.read(call, peer, CallProgress.PARTIAL) == CallProgress.IN_PLACE;
            place.read(call.pad(peer), placeAt(call, peer));
            if (there && !findInPlace(call, peer)) {
                return call.fail(StatusCode.CORRUPT, peer);
            }
            unmapped |= !there && place.isKnown() && onOneHost && !isKnownTo(call, peer, place.serial());
        }
        return true;
    }

    private boolean findInPlace(KernelCall call, int peer) {
        KernelMemory memory = call.memory();
        Span span = memory.inPlace(place, bytes);
        if (span == null && memory.attach(place)) {
            span = memory.inPlace(place, bytes);
        }
        if (span == null) {
            return false;
        }
        windows[peer] = span.window();
        offsets[peer] = span.offset() / Integer.BYTES;
        return true;
    }

    /** Copies words of the own partial to where peers load them; {@link #publish} comes next. */
    void store(KernelCall call, long at, float[] values, int count) {
        row().store(call.rank(), at, values, 0, count);
    }

    /** {@link #store(KernelCall, long, float[], int)} whatever the type. */
    void store(KernelCall call, long at, int[] values, int count) {
        row().store(call.rank(), at, values, 0, count);
    }

    /** Lets peers load as many words as were stored. */
    void publish(KernelCall call, long words) {
        CallProgress.publish(call, CallProgress.PARTIAL, words);
    }

    /**
     * Waits until a peer has published {@code published} words.
     *
     * @return false when the kernel has left
     */
    boolean await(KernelCall call, int peer, long published) {
        return windows[peer] != null || progress.await(call, peer, CallProgress.PARTIAL, published);
    }

    /** Copies words of a peer's partial that were awaited. */
    void load(int peer, long at, float[] values, int count) {
        MemoryWindow window = windows[peer];
        if (window == null) {
            row().load(peer, at, values, 0, count);
        } else {
            window.floats().get(offsets[peer] + (int) at, values, 0, count);
        }
    }

    /** {@link #load(int, long, float[], int)} whatever the type. */
    void load(int peer, long at, int[] values, int count) {
        MemoryWindow window = windows[peer];
        if (window == null) {
            row().load(peer, at, values, 0, count);
        } else {
            window.ints().get(offsets[peer] + (int) at, values, 0, count);
        }
    }

    /** Says that no peer's partial is needed any more, and that the own result is complete. */
    void release(KernelCall call) {
        CallProgress.publish(call, CallProgress.RESULT, CallProgress.ALL);
    }

    /**
     * The end of a call, behind {@link #release}: waits until the own partial is the caller's again, to be overwritten.
     *
     * @return false when the kernel has left
     */
    boolean finish(KernelCall call) {
        if (unmapped) {
            mapForTheNextCall(call);
        }
        for (int step = 1; inPlace && step < call.world(); step++) {
            int peer = (call.rank() + step) % call.world();
            if (!progress.await(call, peer, CallProgress.RESULT, CallProgress.ALL)) {
                return false;
            }
        }
        // A peer that gave up may have reused its partial while it was read; its abort word came first.
        VarHandle.acquireFence();
        return !call.leavesForAbort();
    }

    private void mapForTheNextCall(KernelCall call) {
        for (int peer = 0; peer < call.world(); peer++) {
            if (peer == call.rank() || windows[peer] != null) {
                continue;
            }
            place.read(call.pad(peer), placeAt(call, peer));
            long serial = place.serial();
            if (serial != 0 && !isKnownTo(call, peer, serial)) {
                // What cannot be mapped is remembered too, as the complement, so that it is tried once.
                long answer = call.memory().attach(place) ? serial : ~serial;
                MemoryWindow.LONG.setRelease(call.pad(peer), mappedAt(call, peer, call.rank(), serial), answer);
            }
        }
    }

    private static boolean isKnownTo(KernelCall call, int owner, long serial) {
        long answer = (long) MemoryWindow.LONG.getOpaque(call.pad(owner), mappedAt(call, owner, call.rank(), serial));
        return answer == serial || answer == ~serial;
    }

    private static boolean allHaveMapped(KernelCall call, long serial) {
        ByteBuffer pad = call.pad(call.rank());
        for (int peer = 0; peer < call.world(); peer++) {
            if (peer != call.rank()
                    && (long) MemoryWindow.LONG.getAcquire(pad, mappedAt(call, call.rank(), peer, serial)) != serial) {
                return false;
            }
        }
        return true;
    }

    /** Kernels may read in place only what is on their own emulated host. */
    private boolean areOnOneHost(KernelCall call) {
        long workspace = call.workspace(call.rank());
        if (checkedEpoch != call.epoch() || checkedWorkspace != workspace) {
            onOneHost = true;
            for (int peer = 0; peer < call.world(); peer++) {
                onOneHost &= call.memory().isOnThisHost(call.workspace(peer));
            }
            checkedEpoch = call.epoch();
            checkedWorkspace = workspace;
        }
        return onOneHost;
    }

    private static int placeAt(KernelCall call, int owner) {
        return lineAt(call, owner, owner) + call.stage() * MemoryPlace.BYTES;
    }

    private static int mappedAt(KernelCall call, int owner, int reader, long serial) {
        return lineAt(call, owner, reader) + Math.floorMod(serial, MAPPED) * Long.BYTES;
    }

    private static int lineAt(KernelCall call, int owner, int writer) {
        return call.padOffset(owner)
                + (int) call.controlLong(ControlBlock.VERIFY)
                + writer * WorkspaceLayout.VERIFY_BYTES;
    }

    private PulledRow row() {
        return Objects.requireNonNull(row);
    }
}
