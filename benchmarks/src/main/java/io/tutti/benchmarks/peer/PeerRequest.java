package io.tutti.benchmarks.peer;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;

/**
 * What a peer is to measure.
 *
 * @param tokens rows, from 1
 * @param hidden elements of a row
 * @param iterations measured operations, from 1
 * @param warmUp operations before them, from 0
 */
public record PeerRequest(long tokens, int hidden, DType dtype, Epilogue epilogue, int iterations, int warmUp) {}
