package io.tutti.launcher.run;

import com.typesafe.config.Config;
import io.tutti.actors.Tutti;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The real runtime. Loaded only once a request was found good, since it brings the actor system's classes. */
public final class TuttiRuntime implements RunRuntime {

    private final Tutti tutti;

    private TuttiRuntime(Tutti tutti) {
        this.tutti = tutti;
    }

    /** Starts one, with an actor system of its own. */
    public static RunRuntime start(Config config) {
        return new TuttiRuntime(Tutti.start(config));
    }

    @Override
    public CompletionStage<Communicator> communicator(String name) {
        return tutti.communicator(name);
    }

    @Override
    public Optional<FormingProgress> forming(String name) {
        return tutti.forming(name);
    }

    @Override
    public List<RankFacts> facts(String name) {
        return tutti.facts(name);
    }

    @Override
    public Membership membership() {
        return new Membership(tutti.processIdentity(), tutti.address());
    }

    @Override
    public void close() {
        tutti.close();
    }
}
