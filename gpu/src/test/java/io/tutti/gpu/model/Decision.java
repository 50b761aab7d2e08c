package io.tutti.gpu.model;

/** What memory the second epoch takes. */
enum Decision {
    NONE,
    /** All ranks have drained: the same memory again. */
    REUSED,
    /** One has not; another process takes its place, and all memory is fresh. */
    FRESH,
    /** The fault: it has not, and the others use their memory again all the same. */
    UNDRAINED
}
