package io.tutti.gpu.abi;

/**
 * Byte offsets of a status record, one per kernel that leaves, in a host-mapped ring. Kernel number n of the stream, from
 * 0, writes record n modulo the ring's length: first the facts, then {@link #PUBLISHED} with a release store at system
 * scope. The poller reads {@link #PUBLISHED} with acquire.
 */
public final class StatusRecord {

    /** {@code u64}, the kernel's number + 1. */
    public static final int PUBLISHED = 0;

    /** {@code u64}, the epoch that the kernel was launched in. */
    public static final int EPOCH = 8;

    /** {@code u64}, its sequence number, or 0 when it has none. */
    public static final int SEQUENCE = 16;

    /** {@code u32}, {@link StatusCode}. */
    public static final int CODE = 24;

    /** {@code i32}, the rank that the code names, or −1. */
    public static final int NAMED_RANK = 28;

    /** {@code u64}, from the kernel's start to its end. */
    public static final int NANOS = 32;

    /** Bytes of a record. */
    public static final int SIZE = 64;

    private StatusRecord() {}
}
