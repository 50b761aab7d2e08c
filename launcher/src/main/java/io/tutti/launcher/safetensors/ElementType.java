package io.tutti.launcher.safetensors;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The element types of the format that fill whole bytes; each constant's name is the name in the header. */
public enum ElementType {
    BOOL(1),
    U8(1),
    I8(1),
    F8_E5M2(1),
    F8_E4M3(1),
    F8_E8M0(1),
    U16(2),
    I16(2),
    F16(2),
    BF16(2),
    U32(4),
    I32(4),
    F32(4),
    U64(8),
    I64(8),
    F64(8),
    C64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one element. */
    public int bytes() {
        return bytes;
    }

    static Optional<ElementType> find(String name) {
        return Arrays.stream(values()).filter(type -> type.name().equals(name)).findFirst();
    }

    static String allowed() {
        return Arrays.stream(values()).map(ElementType::name).collect(Collectors.joining(", "));
    }
}
