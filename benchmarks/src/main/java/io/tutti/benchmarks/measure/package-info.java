/**
 * Taking the figures: the loop over this process's ranks, the rounds in which ours and the peers alternate, and how many
 * operations each gets. Nothing here prints. Start with {@link io.tutti.benchmarks.measure.BenchRun}.
 */
@NullMarked
package io.tutti.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
