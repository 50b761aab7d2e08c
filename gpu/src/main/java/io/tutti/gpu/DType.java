package io.tutti.gpu;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The type of every tensor of one operation. All arithmetic between two tensors is fp32, see {@code docs/numerics.md}. */
public enum DType {
    /** Eight bits of exponent, seven of fraction. */
    BF16("bf16", "BF16", 2),
    /** IEEE binary16. */
    FP16("fp16", "F16", 2),
    /** IEEE binary32. */
    FP32("fp32", "F32", 4);

    private final String wireName;
    private final String safetensorsName;
    private final int bytes;

    DType(String wireName, String safetensorsName, int bytes) {
        this.wireName = wireName;
        this.safetensorsName = safetensorsName;
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }

    /** The name in configuration, options, messages and JSON. */
    public String wireName() {
        return wireName;
    }

    /** The name in the header of a safetensors file. */
    public String safetensorsName() {
        return safetensorsName;
    }

    /**
     * The type of that {@link #wireName()}.
     *
     * @throws IllegalArgumentException naming the allowed values
     */
    public static DType parse(String wireName) {
        for (DType type : values()) {
            if (type.wireName.equals(wireName)) {
                return type;
            }
        }
        throw unknown(wireName, Arrays.stream(values()).map(DType::wireName).collect(Collectors.joining(", ")));
    }

    /**
     * The type of that {@link #safetensorsName()}.
     *
     * @throws IllegalArgumentException naming the allowed values
     */
    public static DType parseSafetensors(String safetensorsName) {
        for (DType type : values()) {
            if (type.safetensorsName.equals(safetensorsName)) {
                return type;
            }
        }
        throw unknown(
                safetensorsName,
                Arrays.stream(values()).map(DType::safetensorsName).collect(Collectors.joining(", ")));
    }

    private static IllegalArgumentException unknown(String name, String allowed) {
        return new IllegalArgumentException("unknown dtype: dtype=" + name + "; allowed: " + allowed);
    }
}
