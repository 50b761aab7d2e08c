package io.tutti.gpu.abi;

import io.tutti.gpu.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of the kernels that compute between transports, for paths without peer memory. They are in the CUDA image alone,
 * take {@link LocalParams} and wait for nobody.
 */
public final class LocalKernels {

    private static final String REDUCE = "tutti_local_reduce_";
    private static final String NORM = "tutti_local_norm_";

    private LocalKernels() {}

    /** Adds all ranks' parts in rank order, and the residual where there is one. */
    public static String reduce(DType dtype) {
        return REDUCE + dtype.wireName();
    }

    /** Normalises rows of the rounded residual. */
    public static String norm(DType dtype) {
        return NORM + dtype.wireName();
    }

    /** All of them. */
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        for (DType dtype : DType.values()) {
            names.add(reduce(dtype));
            names.add(norm(dtype));
        }
        return names;
    }
}
