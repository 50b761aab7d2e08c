package io.tutti.gpu.model;

/**
 * What a word of a slot or a header holds: the sentinel, or who pushed it and for which call, in place of a number. So
 * every word that is read tells whether it is the right one.
 */
final class Token {

    static final int SENTINEL = 0;

    /** Above every token. */
    static final int BITS = 14;

    private Token() {}

    /**
     * @param detail the index in the slot, or a header's fingerprint; below 32
     */
    static int of(int epoch, int sequence, Region region, int source, int detail) {
        return epoch << 12 | sequence << 9 | region.ordinal() << 7 | source << 5 | detail;
    }

    static int epoch(int token) {
        return token >> 12;
    }

    static int sequence(int token) {
        return token >> 9 & 7;
    }

    static int detail(int token) {
        return token & 31;
    }

    static boolean isOf(int token, int epoch, int sequence) {
        return token >> 9 == (epoch << 3 | sequence);
    }

    static String describe(int token) {
        return token == SENTINEL
                ? "the sentinel"
                : "epoch " + epoch(token) + " call " + sequence(token) + " rank " + (token >> 5 & 3) + " word "
                        + detail(token);
    }
}
