package io.tutti.benchmarks.measure;

import java.util.OptionalInt;

/**
 * How many operations are launched together.
 *
 * @param asked what the user wants, 0 for single calls; or empty: by size
 */
public record GraphSize(OptionalInt asked) {

    private static final int SMALL = 50;
    private static final int LARGE = 10;
    private static final long LARGE_FROM_BYTES = 8L << 20;

    /** Operations of one launch on tensors of that size; 0 makes single calls. */
    public int of(long tensorBytes) {
        return asked.orElse(tensorBytes > LARGE_FROM_BYTES ? LARGE : SMALL);
    }
}
