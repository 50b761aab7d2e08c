package io.tutti.gpu.rank;

import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;

/**
 * What a rank has for its whole life, for the paths of its epochs to build on.
 *
 * @param rank who it is, and its context
 * @param stream its own stream, on which its calls are ordered
 * @param lane the order of the kernels of that stream, and the launch lock
 * @param launcher puts kernels on that stream
 * @param work waits for that stream
 * @param control its control block, which lets kernels of an epoch in
 * @param controlLane the way into device memory beside that stream
 * @param abortWord which epochs were aborted
 */
record RankMachine(
        RankContext rank,
        CuStream stream,
        LaunchLane lane,
        KernelLauncher launcher,
        StreamWork work,
        ControlMemory control,
        ControlLane controlLane,
        AbortWord abortWord) {

    Driver driver() {
        return rank.driver();
    }

    RankDevice.Settings settings() {
        return rank.settings();
    }

    /** How long a launch may wait for its peers. */
    long operationTimeoutNanos() {
        return settings().operationTimeout().toNanos();
    }
}
