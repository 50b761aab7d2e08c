package io.tutti.gpu.abi;

/**
 * The first 128 bytes of a signal pad: written once by the owner's host before the pad's handle is published, read by
 * peers' hosts after mapping it, and by people in a memory dump.
 */
public final class PadHeader {

    /** {@code u32}, {@link KernelAbi#PAD_MAGIC}. */
    public static final int MAGIC = 0;

    /** {@code u32}, {@link KernelAbi#VERSION}. */
    public static final int ABI_VERSION = 4;

    /** {@code u32}. */
    public static final int WORLD = 8;

    /** {@code u32}, the owner. */
    public static final int RANK = 12;

    /** {@code u64}. */
    public static final int TERM = 16;

    /** {@code u64}. */
    public static final int EPOCH = 24;

    /** {@code u64}, bytes of the workspace by its layout. */
    public static final int BYTES_TOTAL = 32;

    /** Bytes that are in use. */
    public static final int SIZE = 40;

    private PadHeader() {}
}
