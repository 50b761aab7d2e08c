package io.tutti.gpu.cuda;

import java.util.Locale;

/** Which library carries the CUDA driver's calls. */
public enum CudaBinding {
    /** JCuda where it has natives and they load, which is x86-64 Linux; JNA elsewhere. */
    AUTO,
    /** JNA for every call. */
    JNA,
    /** JCuda for what it carries right, JNA for the rest. */
    JCUDA;

    /** The name used in settings. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
