package io.tutti.benchmarks.measure;

import io.tutti.gpu.Epilogue;

/**
 * What the operations of all rows have in common.
 *
 * @param epilogue what follows the sum
 * @param eps added to the mean of squares
 * @param seed makes the inputs
 * @param graph how many operations are launched together
 */
public record RankSetting(Epilogue epilogue, float eps, long seed, GraphSize graph) {}
