package io.tutti.gpu.plan;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;

/**
 * A rank's device by itself.
 *
 * @param ordinal its number in this process; it names no device outside
 * @param identity what the device is
 * @param computeCapability major × 10 + minor
 * @param multiprocessors streaming multiprocessors
 * @param freeBytes free device memory when asked
 * @param confidential whether it computes confidentially, which keeps peers out of its memory
 */
public record DeviceFacts(
        int ordinal,
        DeviceIdentity identity,
        int computeCapability,
        int multiprocessors,
        long freeBytes,
        ConfidentialComputing confidential) {}
