package io.tutti.gpu.driver;

/** The {@code CUdevice_attribute} values that the runtime asks for; the code is the driver's own. */
public enum DeviceAttribute {
    MULTIPROCESSOR_COUNT(16),
    UNIFIED_ADDRESSING(41),
    COMPUTE_CAPABILITY_MAJOR(75),
    COMPUTE_CAPABILITY_MINOR(76),
    VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED(102),
    HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED(103),
    /** The driver's own question for legacy IPC as a whole, not for events alone. */
    IPC_EVENT_SUPPORTED(125),
    HANDLE_TYPE_FABRIC_SUPPORTED(128),
    MULTICAST_SUPPORTED(132);

    private final int code;

    DeviceAttribute(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
