package io.tutti.actors.simulation;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.op.CallDescriptor;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The data plane: kernels of one call on all ranks, which wait for each other with a deadline, look at each other's
 * headers, and leave when the epoch is aborted.
 */
final class Calls {

    static final long DEADLINE = 60_000;

    /** One rank's kernel. */
    static final class Kernel {
        final SimRank life;
        final CallDescriptor call;
        boolean over;

        Kernel(SimRank life, CallDescriptor call) {
            this.life = life;
            this.call = call;
        }
    }

    private record Key(EpochId epoch, long sequence) {}

    private final VirtualTime time;
    private final SplittableRandom random;
    private final int worldSize;
    private final Map<Key, Map<Integer, Kernel>> started = new HashMap<>();
    private final Map<EpochId, Map<Integer, Long>> aborted = new HashMap<>();

    Calls(VirtualTime time, SplittableRandom random, int worldSize) {
        this.time = time;
        this.random = random;
        this.worldSize = worldSize;
    }

    static CallDescriptor call(long sequence, long tag, long tokens) {
        return new CallDescriptor(
                sequence,
                tokens,
                64,
                DType.BF16,
                Epilogue.RESIDUAL_RMSNORM,
                Algorithm.ONE_SHOT,
                Float.floatToIntBits(1e-6f),
                0,
                false,
                tag);
    }

    /** A rank's kernel starts; the last one to start lets all complete, or shows that they differ. */
    Kernel start(SimRank life, EpochId epoch, CallDescriptor call) {
        Kernel kernel = new Kernel(life, call);
        Map<Integer, Kernel> all = started.computeIfAbsent(new Key(epoch, call.sequence()), k -> new TreeMap<>());
        if (isAborted(epoch, life.rank())) {
            leave(kernel, epoch, ErrorCode.ABORTED, null);
            return kernel;
        }
        all.put(life.rank(), kernel);
        time.after(DEADLINE + random.nextInt(100), () -> expire(kernel, epoch, all));
        if (all.size() == worldSize) {
            all.values().forEach(each -> meet(each, epoch, all));
        }
        return kernel;
    }

    private void meet(Kernel kernel, EpochId epoch, Map<Integer, Kernel> all) {
        time.after(5 + random.nextInt(200), () -> {
            if (kernel.over) {
                return;
            }
            for (Kernel peer : all.values()) {
                if (!peer.call.equals(kernel.call)) {
                    abortEverywhere(epoch);
                    leave(kernel, epoch, ErrorCode.MISMATCH, peer.life.rank());
                    return;
                }
            }
            kernel.over = true;
            kernel.life.callCompleted(epoch, kernel.call);
        });
    }

    private void expire(Kernel kernel, EpochId epoch, Map<Integer, Kernel> all) {
        if (!kernel.over) {
            Integer missing = null;
            for (int rank = 0; rank < worldSize && missing == null; rank++) {
                missing = all.containsKey(rank) ? null : rank;
            }
            abortEverywhere(epoch);
            leave(kernel, epoch, ErrorCode.TIMEOUT, missing);
        }
    }

    /** A device refuses the call before its kernel starts. */
    void refuse(SimRank life, EpochId epoch, CallDescriptor call) {
        leave(new Kernel(life, call), epoch, ErrorCode.DRIVER, null);
    }

    private static void leave(Kernel kernel, EpochId epoch, ErrorCode code, @Nullable Integer missing) {
        kernel.over = true;
        kernel.life.callFailed(
                epoch,
                kernel.call,
                missing,
                ErrorInfo.of(code, "simulated " + code.wireName(), "").onRank(kernel.life.rank()));
    }

    void abortEverywhere(EpochId epoch) {
        for (int rank = 0; rank < worldSize; rank++) {
            abort(epoch, rank);
        }
    }

    /** The abort word reaches one rank's pad: its kernel leaves soon. */
    void abort(EpochId epoch, int rank) {
        Map<Integer, Long> words = aborted.computeIfAbsent(epoch, e -> new HashMap<>());
        if (words.containsKey(rank)) {
            return;
        }
        words.put(rank, time.now() + 1 + random.nextInt(100));
        time.at(
                words.get(rank),
                () -> started.forEach((key, kernels) -> {
                    Kernel kernel = key.epoch().equals(epoch) ? kernels.get(rank) : null;
                    if (kernel != null && !kernel.over) {
                        leave(kernel, epoch, ErrorCode.ABORTED, null);
                    }
                }));
    }

    private boolean isAborted(EpochId epoch, int rank) {
        Long since = aborted.getOrDefault(epoch, Map.of()).get(rank);
        return since != null && since <= time.now();
    }
}
