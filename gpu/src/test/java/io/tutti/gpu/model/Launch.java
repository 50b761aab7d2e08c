package io.tutti.gpu.model;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One warp's share of one launch.
 *
 * @param part of the warp's program
 * @param number counted over the process's life, as its status records are
 * @param epoch as captured
 * @param before the call before, if there is one
 */
record Launch(
        Setting setting,
        int part,
        int number,
        int epoch,
        Call call,
        @Nullable Call before,
        int rank,
        int thread) {

    Scenario scenario() {
        return setting.scenario();
    }

    Layout layout() {
        return setting.layout();
    }

    boolean has(Rule rule) {
        return setting.has(rule);
    }

    /** Whether the warp is its block's last. */
    boolean speaks() {
        return thread % scenario().warps() == scenario().warps() - 1;
    }

    /** Whether it is the first block's last, which speaks with peers and closes the call. */
    boolean speaksForGrid() {
        return thread == scenario().warps() - 1;
    }

    /** Which of so many vectors the warp has. A kernel with an idle speaker deals to all others. */
    List<Integer> dealt(int count) {
        int threads = scenario().threads();
        boolean idle = call.kernel() == Call.Kernel.SINGLE && threads > 1;
        if (idle && speaksForGrid()) {
            return List.of();
        }
        int hands = idle ? threads - 1 : threads;
        int hand = idle && thread >= scenario().warps() ? thread - 1 : thread;
        return IntStream.range(0, count).filter(i -> i % hands == hand).boxed().toList();
    }

    /** Nearest rank first. */
    List<Integer> peers() {
        IntUnaryOperator wrapped = step -> (rank + step) % scenario().world();
        return IntStream.range(1, scenario().world()).map(wrapped).boxed().toList();
    }

    /** The words of a vector in its slot. */
    List<Integer> words(int vector) {
        int each = scenario().words();
        return IntStream.range(vector * each, (vector + 1) * each).boxed().toList();
    }

    /** How many vectors of a two-shot call a rank reduces at most. */
    int eachSlice() {
        return (call.vectors() + scenario().world() - 1) / scenario().world();
    }

    int sliceLength(int owner) {
        return Math.max(0, Math.min(eachSlice(), call.vectors() - owner * eachSlice()));
    }
}
