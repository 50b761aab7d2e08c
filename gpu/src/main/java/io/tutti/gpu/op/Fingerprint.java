package io.tutti.gpu.op;

/**
 * A call as 64 bits, for the header that every rank sends every peer: FNV-1a over everything that ranks must agree on,
 * except the sequence number, which the header carries itself and a captured graph does not know.
 */
public final class Fingerprint {

    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;
    private static final int SENTINEL = 0x80000000;

    private Fingerprint() {}

    /**
     * The fingerprint of one launch of a call. Neither half is the Lamport sentinel.
     *
     * @param call the whole call
     * @param tokenOffset the launch's first token
     * @param tokens the launch's tokens
     */
    public static long of(CallDescriptor call, long tokenOffset, long tokens) {
        long hash = OFFSET_BASIS;
        hash = mix(hash, call.tokens());
        hash = mix(hash, call.hidden());
        hash = mix(hash, tokenOffset);
        hash = mix(hash, tokens);
        hash = mix(hash, call.dtype().ordinal());
        hash = mix(hash, call.epilogue().ordinal());
        hash = mix(hash, call.algorithm().ordinal());
        hash = mix(hash, call.epsBits());
        hash = mix(hash, call.biasBits());
        hash = mix(hash, call.plainSum() ? 1 : 0);
        hash = mix(hash, call.tag());
        return withoutSentinel(hash);
    }

    static long withoutSentinel(long hash) {
        long result = hash;
        if ((int) result == SENTINEL) {
            result ^= 1L;
        }
        if ((int) (result >>> 32) == SENTINEL) {
            result ^= 1L << 32;
        }
        return result;
    }

    private static long mix(long hash, long value) {
        long result = hash;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            result = (result ^ ((value >>> shift) & 0xff)) * PRIME;
        }
        return result;
    }
}
