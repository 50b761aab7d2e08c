package io.tutti.config;

import java.util.Locale;

/** Which driver the ranks of a process use. */
public enum DriverChoice {
    /** The best driver that works on this machine. */
    AUTO,
    /** The real devices of this machine. */
    CUDA,
    /** The emulation in host memory. */
    HOST;

    /** The name used in settings and options. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
