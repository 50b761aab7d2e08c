/**
 * Figures of measurements: pure arithmetic that ours and every peer's samples go through alike. Start with {@link
 * io.tutti.benchmarks.stats.Samples}.
 */
@NullMarked
package io.tutti.benchmarks.stats;

import org.jspecify.annotations.NullMarked;
