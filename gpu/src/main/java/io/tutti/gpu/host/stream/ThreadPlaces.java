package io.tutti.gpu.host.stream;

import io.tutti.gpu.posix.CpuAffinity;
import java.util.Arrays;

/** Where the threads of streams run. Immutable. */
public final class ThreadPlaces {

    private final int[] processors;

    private ThreadPlaces(int[] processors) {
        this.processors = processors;
    }

    /** Wherever the system puts them. */
    public static ThreadPlaces anywhere() {
        return new ThreadPlaces(new int[0]);
    }

    /**
     * A processor for each device, in order, among those that this process may use; anywhere when there are fewer. Processes
     * with ranks of the same machine come to the same answer, so their ranks do not meet.
     *
     * @param before devices of the machine whose threads are another driver's, and come first
     * @param all devices of the machine
     */
    public static ThreadPlaces of(int before, int all) {
        int[] allowed = CpuAffinity.allowed();
        return allowed.length < all ? anywhere() : new ThreadPlaces(Arrays.copyOfRange(allowed, before, all));
    }

    /** Puts the calling thread where a device's belong. */
    void settle(int device) {
        if (device < processors.length) {
            CpuAffinity.bind(processors[device]);
        }
    }
}
