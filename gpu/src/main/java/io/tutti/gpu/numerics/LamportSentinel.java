package io.tutti.gpu.numerics;

import java.util.Arrays;

/**
 * The word that means "not yet written" in Lamport data, for all tensor types: −0.0 in fp32, and (+0.0, −0.0) in 16-bit
 * types. All methods look at words as bits, are branch-free for C2's vectoriser, and may run on any thread.
 */
public final class LamportSentinel {
    /** The sentinel. */
    public static final int WORD = 0x80000000;

    private LamportSentinel() {}

    /**
     * Turns every word that equals the sentinel into +0.0, as a sender must before it pushes. No result changes by it: the
     * sum over the ranks starts at +0.0 and so is never −0.0, and adding +0.0 or −0.0 to anything else is the same.
     */
    public static void clearNegativeZero(int[] words, int offset, int count) {
        for (int i = 0; i < count; i++) {
            int word = words[offset + i];
            words[offset + i] = word & ~(signIfEqual(word) & WORD);
        }
    }

    /** Whether any of the words equals the sentinel. */
    public static boolean containsSentinel(int[] words, int offset, int count) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            found |= signIfEqual(words[offset + i]);
        }
        return found < 0;
    }

    /**
     * Whether any of the first {@code count} words equals the sentinel, by one pass that changes it and one comparison: C2 of
     * Java 17 reduces inside the loop, and vectorises only where all arrays of a loop are indexed alike.
     *
     * @param scratch at least {@code count} long
     */
    public static boolean containsSentinel(int[] words, int count, int[] scratch) {
        for (int i = 0; i < count; i++) {
            int word = words[i];
            scratch[i] = word & ~(signIfEqual(word) & WORD);
        }
        return !Arrays.equals(words, 0, count, scratch, 0, count);
    }

    /** The sign bit is set exactly when the word is the sentinel: only 0 borrows and has no bit of its own. */
    private static int signIfEqual(int word) {
        int difference = word ^ WORD;
        return (difference - 1) & ~difference;
    }
}
