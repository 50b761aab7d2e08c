package io.tutti.gpu.op;

/**
 * What launch geometry depends on besides the call.
 *
 * @param multiprocessors streaming multiprocessors of the device
 * @param computeCapability major × 10 + minor
 * @param ranksPerDevice the most ranks of the communicator that one device has
 */
public record DeviceShape(int multiprocessors, int computeCapability, int ranksPerDevice) {

    public DeviceShape {
        if (multiprocessors < 1 || ranksPerDevice < 1) {
            throw new IllegalArgumentException("a device has multiprocessors and ranks: multiprocessors="
                    + multiprocessors + " ranksPerDevice=" + ranksPerDevice);
        }
    }
}
