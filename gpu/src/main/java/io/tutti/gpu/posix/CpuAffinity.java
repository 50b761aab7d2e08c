package io.tutti.gpu.posix;

import com.sun.jna.LastErrorException;
import java.util.BitSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which processors a thread may run on; nothing can be said or done about it where {@link LibC} is unavailable. */
public final class CpuAffinity {

    private static final Logger LOG = LoggerFactory.getLogger(CpuAffinity.class);

    /** Of the kernel's masks that the C library's type can hold: 1,024 processors. */
    private static final int MASK_BYTES = 128;

    private static final int CALLING_THREAD = 0;

    private CpuAffinity() {}

    /** The processors that the calling thread may use, in order; none where that cannot be asked. */
    public static int[] allowed() {
        if (LibC.unavailable() != null) {
            return new int[0];
        }
        byte[] mask = new byte[MASK_BYTES];
        try {
            LibC.sched_getaffinity(CALLING_THREAD, MASK_BYTES, mask);
        } catch (LastErrorException e) {
            LOG.debug("the processors of this thread are unknown: errno={}", e.getErrorCode());
            return new int[0];
        }
        // The kernel's mask is an array of native longs; bytes are in the same order where those are little-endian.
        return BitSet.valueOf(mask).stream().toArray();
    }

    /**
     * Keeps the calling thread on one processor.
     *
     * @return false when the system refuses, as it does for a processor that the thread's control group lacks
     */
    public static boolean bind(int processor) {
        if (LibC.unavailable() != null || processor < 0 || processor >= MASK_BYTES * Byte.SIZE) {
            return false;
        }
        byte[] mask = new byte[MASK_BYTES];
        mask[processor / Byte.SIZE] = (byte) (1 << processor % Byte.SIZE);
        try {
            LibC.sched_setaffinity(CALLING_THREAD, MASK_BYTES, mask);
            return true;
        } catch (LastErrorException e) {
            LOG.debug("the thread stays where it is: processor={} errno={}", processor, e.getErrorCode());
            return false;
        }
    }
}
