package io.tutti.gpu.host.execution;

/** A kernel of the host driver touched device memory that is not mapped for its device. */
public final class IllegalAddressException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public IllegalAddressException(long devicePointer, long bytes) {
        super("device address is not mapped: address=0x" + Long.toHexString(devicePointer) + " bytes=" + bytes);
    }
}
