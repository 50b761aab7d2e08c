package io.tutti.gpu.process;

/**
 * Hears how a peer process ends: exactly one of both methods, at most once for each link. Called on the thread that watches
 * the links, so that abort words can be set there and then; it must not wait, since the other links wait for it.
 */
@FunctionalInterface
public interface PeerListener {

    /** The process died, or closed its service without a word. A stopped process is not dead. */
    void onDeath(String processId);

    /** The process closed its service in order. */
    default void onGoodbye(String processId) {}
}
