package io.tutti.gpu.rank;

import io.tutti.gpu.abi.StatusCode;

/**
 * How one kernel left, as its status record says.
 *
 * @param epoch the number of the epoch it was launched in
 * @param sequence its sequence number, or 0 when it has none
 * @param status why it left
 * @param namedRank the rank that the status names, or −1
 * @param nanos its run time on the device
 */
record LaunchOutcome(long epoch, long sequence, StatusCode status, int namedRank, long nanos) {}
