package io.tutti.gpu.abi;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names of the fused kernels in the image {@link KernelAbi#IMAGE}. All of an algorithm do the same; each is built for one
 * type, and one-shot also for two ranks alone, for one row a block, and for rows that are longer than a block.
 */
public final class FusedKernels {

    private static final String ONE_SHOT = "tutti_fused_one_shot_";
    private static final String TWO_SHOT = "tutti_fused_two_shot_";
    private static final String PAIR = "_pair";
    private static final String SINGLE = "_single";
    private static final String WIDE = "_wide";
    private static final int PAIR_WORLD = 2;

    private FusedKernels() {}

    /** How a launch's rows lie on its blocks. */
    public enum Rows {
        /** One row a block at most. */
        SINGLE,
        /** One row after the other. */
        MANY,
        /** Each row has more vectors of 8 elements than a block has threads. */
        WIDE
    }

    /** The kernel for a launch. */
    public static String name(Algorithm algorithm, DType dtype, int worldSize, Rows rows) {
        if (algorithm == Algorithm.TWO_SHOT) {
            return TWO_SHOT + dtype.wireName();
        }
        String name = ONE_SHOT + dtype.wireName();
        if (rows == Rows.WIDE) {
            return name + WIDE;
        }
        return name + (worldSize == PAIR_WORLD ? PAIR : "") + (rows == Rows.SINGLE ? SINGLE : "");
    }

    /** All kernels of an algorithm. */
    public static List<String> names(Algorithm algorithm) {
        Set<String> names = new TreeSet<>();
        for (DType dtype : DType.values()) {
            for (Rows rows : Rows.values()) {
                names.add(name(algorithm, dtype, 1, rows));
                names.add(name(algorithm, dtype, PAIR_WORLD, rows));
            }
        }
        return List.copyOf(names);
    }
}
