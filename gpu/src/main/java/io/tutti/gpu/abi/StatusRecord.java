package io.tutti.gpu.abi;

/**
 * Byte offsets of a status record, one per kernel that leaves, in a host-mapped ring. Kernel number n of the stream, from
 * 0, writes record n modulo the ring's length: first the facts, then {@link #PUBLISHED} and {@link #NANOS} by one 64-bit
 * store behind a release at system scope. The poller reads these 64 bits with acquire.
 */
public final class StatusRecord {

    /** {@code u32}, the kernel's number + 1, as many bits of it as there are. */
    public static final int PUBLISHED = 0;

    /** {@code u32}, nanoseconds from the kernel's start to its end, at most 2³² − 1. */
    public static final int NANOS = 4;

    /** {@code u64}, the epoch that the kernel was launched in. */
    public static final int EPOCH = 8;

    /** {@code u64}, its sequence number, or 0 when it has none. */
    public static final int SEQUENCE = 16;

    /** {@code u32}, {@link StatusCode}. */
    public static final int CODE = 24;

    /** {@code i32}, the rank that the code names, or −1. */
    public static final int NAMED_RANK = 28;

    /** Bytes of a record. */
    public static final int SIZE = 64;

    private static final long MAX_NANOS = 0xffff_ffffL;

    private StatusRecord() {}

    /** The 64 bits at {@link #PUBLISHED}. */
    public static long publish(long number, long nanos) {
        return Math.min(nanos, MAX_NANOS) << Integer.SIZE | (number + 1 & 0xffff_ffffL);
    }

    /** Whether those bits publish the kernel of that number. */
    public static boolean publishes(long bits, long number) {
        return (int) bits == (int) (number + 1);
    }

    /** The run time in those bits. */
    public static long nanos(long bits) {
        return bits >>> Integer.SIZE;
    }
}
