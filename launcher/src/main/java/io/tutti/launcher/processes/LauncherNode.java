package io.tutti.launcher.processes;

import com.typesafe.config.Config;

/** The launcher's own seat in the cluster: it hosts no ranks, but the coordinators, and the others join it. */
public interface LauncherNode extends AutoCloseable {

    /** Starts one. */
    @FunctionalInterface
    interface Starter {
        LauncherNode start(Config config);
    }

    /** Where the rank processes join, as {@code host:port}. */
    String address();

    /**
     * Reports a process that has ended and was reaped, so that nobody waits for it. Any thread.
     *
     * @param identity the process as the cluster knows it
     * @param how how it ended, for people
     * @param address where it was a member of the cluster
     */
    void processExited(String identity, String how, String address);

    /** Leaves and gives everything back. */
    @Override
    void close();
}
