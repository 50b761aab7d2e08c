package io.tutti.gpu.model;

/** A set of 64-bit numbers. */
final class Fingerprints {

    private long[] table = new long[1 << 16];
    private int size;

    /** False when it was there already. */
    boolean add(long fingerprint) {
        long value = fingerprint == 0 ? 1 : fingerprint;
        if (size * 2L > table.length) {
            grow();
        }
        if (!put(table, value)) {
            return false;
        }
        size++;
        return true;
    }

    private void grow() {
        long[] larger = new long[table.length * 2];
        for (long value : table) {
            if (value != 0) {
                put(larger, value);
            }
        }
        table = larger;
    }

    private static boolean put(long[] table, long value) {
        int at = (int) value & table.length - 1;
        while (table[at] != 0) {
            if (table[at] == value) {
                return false;
            }
            at = at + 1 & table.length - 1;
        }
        table[at] = value;
        return true;
    }
}
