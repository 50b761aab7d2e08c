package io.tutti.actors.spi;

import io.tutti.gpu.EpochId;

/**
 * Sees each stage that a rank of this process carries out, for traces and for tests that fail at a chosen point. Found
 * through {@link java.util.ServiceLoader}. Called on the rank's own thread, which waits meanwhile; an observer that does
 * not return makes the rank miss its deadline.
 */
public interface StageObserver {

    /**
     * @param rank the rank
     * @param epoch the epoch being formed
     * @param stage the stage's name as in settings, for example {@code export}; {@code commit} when the rank enters
     */
    default void before(int rank, EpochId epoch, String stage) {}

    /** Like {@link #before}, once the stage is done on this rank and before its answer is sent; not when it failed. */
    default void after(int rank, EpochId epoch, String stage) {}
}
