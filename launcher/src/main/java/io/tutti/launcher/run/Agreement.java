package io.tutti.launcher.run;

/** What comes between a right result and its use, where other processes host ranks of the same communicator. */
@FunctionalInterface
public interface Agreement {

    /** Every rank is here. */
    Agreement ALL_HERE = result -> {};

    /**
     * Returns when every other process has found its ranks' outputs right too.
     *
     * @param result of the ranks of this process
     * @throws io.tutti.gpu.TuttiException when there will be no agreement
     */
    void reach(RunResult.CommunicatorResult result);

    /** There will be no result from here; told before anything is closed, which may take a while. */
    default void refuse(Throwable why) {}
}
