package io.tutti.gpu.driver;

/** {@code CUmemAllocationHandleType}, a set of bits; the code is the driver's own. */
public enum ShareableType {
    NONE(0),
    POSIX_FD(1),
    FABRIC(8),
    /** Memory that can be exported as either; an export names one. */
    POSIX_FD_AND_FABRIC(9);

    private final int code;

    ShareableType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether memory of this type can be exported as {@code other}. */
    public boolean includes(ShareableType other) {
        return (code & other.code) == other.code;
    }

    /** The type of memory that can be exported as either. */
    public ShareableType and(ShareableType other) {
        if (includes(other)) {
            return this;
        }
        return other.includes(this) ? other : POSIX_FD_AND_FABRIC;
    }
}
