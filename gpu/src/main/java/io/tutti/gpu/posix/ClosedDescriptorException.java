package io.tutti.gpu.posix;

import java.io.IOException;
import java.util.Arrays;

/** A descriptor that was to be sent is not open. */
public final class ClosedDescriptorException extends IOException {

    private static final long serialVersionUID = 1L;

    ClosedDescriptorException(int[] descriptors, Throwable cause) {
        super("a descriptor that was to be sent is closed: descriptors=" + Arrays.toString(descriptors), cause);
    }
}
