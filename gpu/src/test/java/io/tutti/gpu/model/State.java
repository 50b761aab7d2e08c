package io.tutti.gpu.model;

import java.util.Arrays;

/**
 * Memory, registers, and the stores that have been issued but not performed. A store is performed at any time after it was
 * issued, in any order, except that one agent's stores to one address keep their order.
 */
final class State {

    static final int ADDRESS_BITS = 12;

    private static final int ADDRESS_MASK = (1 << ADDRESS_BITS) - 1;
    private static final int VALUE_MASK = (1 << Token.BITS) - 1;
    private static final int KEY_SHIFT = Token.BITS;

    private final int fixed;
    private int[] cells;

    State(int fixed) {
        this.fixed = fixed;
        this.cells = new int[fixed];
    }

    private State(int fixed, int[] cells) {
        this.fixed = fixed;
        this.cells = cells;
    }

    State copy() {
        return new State(fixed, cells.clone());
    }

    int get(int at) {
        return cells[at];
    }

    void set(int at, int value) {
        cells[at] = value;
    }

    /** Issues a store. */
    void issue(int agent, int address, int value) {
        int key = agent << ADDRESS_BITS | address;
        int at = cells.length;
        while (at > fixed && cells[at - 1] >>> KEY_SHIFT > key) {
            at--;
        }
        int[] longer = Arrays.copyOf(cells, cells.length + 1);
        System.arraycopy(cells, at, longer, at + 1, cells.length - at);
        longer[at] = key << KEY_SHIFT | value;
        cells = longer;
    }

    /** What an agent reads: its own store that is still on its way, or memory. */
    int read(int agent, int address) {
        int key = agent << ADDRESS_BITS | address;
        for (int at = cells.length - 1; at >= fixed; at--) {
            if (cells[at] >>> KEY_SHIFT == key) {
                return cells[at] & VALUE_MASK;
            }
        }
        return cells[address];
    }

    int pending() {
        return cells.length - fixed;
    }

    /** Whether a store is the first of its agent to its address. */
    boolean mayPerform(int index) {
        return index == 0 || cells[fixed + index] >>> KEY_SHIFT != cells[fixed + index - 1] >>> KEY_SHIFT;
    }

    int agentOf(int index) {
        return cells[fixed + index] >>> (KEY_SHIFT + ADDRESS_BITS);
    }

    int addressOf(int index) {
        return cells[fixed + index] >>> KEY_SHIFT & ADDRESS_MASK;
    }

    int valueOf(int index) {
        return cells[fixed + index] & VALUE_MASK;
    }

    /** Performs a store. */
    void perform(int index) {
        cells[addressOf(index)] = valueOf(index);
        int[] shorter = Arrays.copyOf(cells, cells.length - 1);
        System.arraycopy(cells, fixed + index + 1, shorter, fixed + index, shorter.length - fixed - index);
        cells = shorter;
    }

    /** Whether a store is the only one on its way to its address. */
    boolean isAlone(int index) {
        int address = addressOf(index);
        for (int other = 0; other < pending(); other++) {
            if (other != index && addressOf(other) == address) {
                return false;
            }
        }
        return true;
    }

    /** 64 bits that differ for states that differ, but for one chance in 2^64 for each pair. */
    long fingerprint() {
        long hash = cells.length;
        for (int cell : cells) {
            hash = (hash ^ cell) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        hash *= 0xBF58476D1CE4E5B9L;
        return hash ^ hash >>> 32;
    }
}
