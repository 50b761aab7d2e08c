package io.tutti.gpu.abi;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of the fused kernels in the image {@link KernelAbi#IMAGE}. All of an algorithm do the same; each is built for one
 * type, and one-shot also for two ranks alone and for rows that are longer than a block.
 */
public final class FusedKernels {

    private static final String ONE_SHOT = "tutti_fused_one_shot_";
    private static final String TWO_SHOT = "tutti_fused_two_shot_";
    private static final String PAIR = "_pair";
    private static final String WIDE = "_wide";
    private static final int PAIR_WORLD = 2;

    private FusedKernels() {}

    /**
     * The kernel for a launch.
     *
     * @param wide whether a row has more vectors of 8 elements than a block has threads
     */
    public static String name(Algorithm algorithm, DType dtype, int worldSize, boolean wide) {
        if (algorithm == Algorithm.TWO_SHOT) {
            return TWO_SHOT + dtype.wireName();
        }
        return ONE_SHOT + dtype.wireName() + (wide ? WIDE : worldSize == PAIR_WORLD ? PAIR : "");
    }

    /** All kernels of an algorithm. */
    public static List<String> names(Algorithm algorithm) {
        List<String> names = new ArrayList<>();
        for (DType dtype : DType.values()) {
            names.add(name(algorithm, dtype, 1, false));
            if (algorithm == Algorithm.ONE_SHOT) {
                names.add(name(algorithm, dtype, PAIR_WORLD, false));
                names.add(name(algorithm, dtype, 1, true));
            }
        }
        return names;
    }
}
