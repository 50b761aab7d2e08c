package io.tutti.gpu.abi;

/** Why a kernel left; its {@link #code()} is what the device writes. */
public enum StatusCode {
    /** It did all of its work. */
    OK(1),
    /** Its captured term and epoch are not the control block's; it touched nothing. */
    STALE(2),
    /** Its epoch was aborted: by the named rank's kernel, or by control threads. */
    ABORTED(3),
    /** The named rank did not arrive by the deadline. */
    TIMEOUT(4),
    /** The named rank started another call under the same sequence number. */
    MISMATCH(5),
    /** The named rank's stores arrived altered. */
    CORRUPT(6),
    /** The kernel was built for another interface than the host code. */
    BAD_ABI(7),
    /** The driver reported an error instead of a status; never written by a kernel. */
    DEVICE_ERROR(8);

    private static final StatusCode[] BY_CODE = byCode();

    private final int code;

    StatusCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The constant for a device's code; {@link #CORRUPT} for one that no kernel writes. */
    public static StatusCode ofCode(int code) {
        return code >= 1 && code <= BAD_ABI.code ? BY_CODE[code] : CORRUPT;
    }

    private static StatusCode[] byCode() {
        StatusCode[] table = new StatusCode[values().length + 1];
        for (StatusCode status : values()) {
            table[status.code] = status;
        }
        return table;
    }
}
