package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.op.CallDescriptor;
import java.util.Optional;

/**
 * What a rank had done when its stream was idle after an abort. A call may be repeated only when its first launch is above
 * every rank's {@code retiredSequence}.
 *
 * @param epoch the drained epoch
 * @param retiredSequence the last launch that succeeded on this rank, 0 for none
 * @param firstPending the first call that did not succeed, or empty
 */
public record DrainReport(EpochId epoch, long retiredSequence, Optional<CallDescriptor> firstPending) {}
