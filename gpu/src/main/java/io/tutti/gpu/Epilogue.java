package io.tutti.gpu;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What follows the sum over the ranks inside the same operation. */
public enum Epilogue {
    /** Add the residual, then RMSNorm with weights {@code gamma}. */
    RESIDUAL_RMSNORM("residual-rmsnorm", true, 0f),
    /** Add the residual, then RMSNorm with weights {@code gamma + 1}, as Gemma models store them. */
    RESIDUAL_RMSNORM_GEMMA("residual-rmsnorm-gemma", true, 1f),
    /** Nothing: the output is the plain sum. */
    ALL_REDUCE("all-reduce", false, 0f);

    private final String wireName;
    private final boolean hasNorm;
    private final float weightBias;

    Epilogue(String wireName, boolean hasNorm, float weightBias) {
        this.wireName = wireName;
        this.hasNorm = hasNorm;
        this.weightBias = weightBias;
    }

    /** The name in configuration, options, messages and JSON. */
    public String wireName() {
        return wireName;
    }

    /** Whether there are a residual, gamma and eps, and the outputs {@code residual_out} and {@code norm_out}. */
    public boolean hasNorm() {
        return hasNorm;
    }

    /** What is added to each weight in fp32 before it multiplies: 0 or 1; 0 where there is no norm. */
    public float weightBias() {
        return weightBias;
    }

    /**
     * The epilogue of that {@link #wireName()}.
     *
     * @throws IllegalArgumentException naming the allowed values
     */
    public static Epilogue parse(String wireName) {
        for (Epilogue epilogue : values()) {
            if (epilogue.wireName.equals(wireName)) {
                return epilogue;
            }
        }
        throw new IllegalArgumentException("unknown epilogue: epilogue="
                + wireName
                + "; allowed: "
                + Arrays.stream(values()).map(Epilogue::wireName).collect(Collectors.joining(", ")));
    }
}
