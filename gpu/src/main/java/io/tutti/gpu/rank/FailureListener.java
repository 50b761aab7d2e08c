package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.op.CallDescriptor;

/** Hears of the first launch of an epoch that did not succeed. Called on the completion thread; must not block. */
@FunctionalInterface
public interface FailureListener {

    /**
     * @param epoch the epoch of the launch
     * @param sequence its number in that epoch
     * @param status why it left
     * @param namedRank the rank that the status names, or −1
     * @param call the call it belongs to
     */
    void onFailure(EpochId epoch, long sequence, StatusCode status, int namedRank, CallDescriptor call);
}
