package io.tutti.launcher.run;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import java.util.concurrent.CompletionStage;

/** What a run needs of Tutti; a test puts its own communicators behind it. */
public interface RunRuntime extends AutoCloseable {

    /** Starts one. */
    @FunctionalInterface
    interface Starter {
        RunRuntime start(Config config);
    }

    /** Completes when the communicator has formed. */
    CompletionStage<Communicator> communicator(String name);

    /** Leaves and gives everything back, bounded by {@code tutti.close.timeout}. */
    @Override
    void close();
}
