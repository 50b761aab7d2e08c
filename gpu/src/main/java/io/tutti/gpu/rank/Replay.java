package io.tutti.gpu.rank;

/** Calls that were prepared once to be launched again and again, in one epoch. */
interface Replay {

    /** Launches them all; with the launch lock held. */
    void launch(PendingCalls calls);

    /** Frees what was prepared, once; launches that are in flight complete. With the launch lock held. */
    void destroy();
}
