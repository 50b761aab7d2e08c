package io.tutti.gpu.driver;

/** {@code CUmemAllocationHandleType}; the code is the driver's own. */
public enum ShareableType {
    NONE(0),
    POSIX_FD(1),
    FABRIC(8);

    private final int code;

    ShareableType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
