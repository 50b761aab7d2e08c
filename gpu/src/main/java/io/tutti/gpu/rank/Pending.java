package io.tutti.gpu.rank;

import io.tutti.gpu.ErrorInfo;

/** Consecutive kernels of one stream whose outcomes somebody waits for. Methods are called by one thread at a time. */
interface Pending {

    /**
     * One of its kernels has left.
     *
     * @param index which one, from 0
     */
    void left(int index, LaunchOutcome outcome);

    /** The device has failed; none of the remaining kernels will report. */
    void deviceFailed(ErrorInfo error);
}
