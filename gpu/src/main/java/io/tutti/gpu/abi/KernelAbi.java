package io.tutti.gpu.abi;

/** Names and numbers of the kernel interface. */
public final class KernelAbi {

    /** Changes with every change of a layout in this package or of the workspace; checked by kernels and by ranks. */
    public static final int VERSION = 2;

    /** The kernel image's name for {@link io.tutti.gpu.driver.Driver#moduleLoad}. */
    public static final String IMAGE = "tutti";

    public static final String ARM = "tutti_arm";
    public static final String WRITE_PATTERN = "tutti_write_pattern";
    public static final String VERIFY_PATTERN = "tutti_verify_pattern";

    /** First word of a signal pad. */
    public static final int PAD_MAGIC = 0x54505431;

    /** First word of a control block. */
    public static final int CONTROL_MAGIC = 0x54435431;

    /** Each word of a guard. */
    public static final int GUARD_WORD = 0x5AFE57A6;

    /** Epochs are 31-bit on the device, so that an abort word is one aligned 32-bit store. */
    public static final long MAX_EPOCH = Integer.MAX_VALUE;

    private KernelAbi() {}
}
