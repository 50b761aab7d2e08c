package io.tutti.gpu.op;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.PathKind;

/**
 * A call that completed with success: every rank has started it and this rank's outputs are written.
 *
 * @param epoch the epoch it ran in
 * @param sequence the last launch's number in that epoch
 * @param path the path that carried it
 * @param algorithm the algorithm that carried it
 * @param launches kernel launches it was cut into
 * @param nanos from submission to the moment its completion was seen
 */
public record Completion(EpochId epoch, long sequence, PathKind path, Algorithm algorithm, int launches, long nanos) {}
