package io.tutti.launcher.processes;

import com.typesafe.config.Config;
import io.tutti.actors.Tutti;

/** The real seat in the cluster. Loaded only once a request was found good, since it brings the actor system's classes. */
public final class TuttiNode implements LauncherNode {

    private final Tutti tutti;

    private TuttiNode(Tutti tutti) {
        this.tutti = tutti;
    }

    /** Starts one, with an actor system of its own. */
    public static LauncherNode start(Config config) {
        return new TuttiNode(Tutti.start(config));
    }

    @Override
    public String address() {
        return tutti.address();
    }

    @Override
    public void processExited(String identity, String how, String address) {
        tutti.processExited(identity, how, address);
    }

    @Override
    public void close() {
        tutti.close();
    }
}
