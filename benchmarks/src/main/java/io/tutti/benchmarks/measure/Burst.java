package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.op.Completion;

/**
 * One uninterrupted series of operations on the ranks of one process.
 *
 * @param slowest for each measured operation the duration on the local rank that took longest
 * @param last a completion of the last operation
 */
public record Burst(Samples slowest, Completion last) {}
