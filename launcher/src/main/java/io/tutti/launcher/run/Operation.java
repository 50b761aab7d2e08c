package io.tutti.launcher.run;

import io.tutti.gpu.Epilogue;

/**
 * What is run on every rank.
 *
 * @param epilogue what follows the sum
 * @param eps added to the mean of squares; finite, not negative
 * @param iterations how often, from 1
 */
public record Operation(Epilogue epilogue, float eps, int iterations) {}
