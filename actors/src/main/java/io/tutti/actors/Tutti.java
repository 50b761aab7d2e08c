package io.tutti.actors;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.internal.Runtime;
import io.tutti.config.TuttiSettings;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * The runtime of one process: it hosts the ranks that its configuration places here and is a member of the cluster that
 * the other processes form. Thread-safe. Closing is idempotent, bounded by {@code tutti.close.timeout}, and gives
 * everything back; it never ends the JVM.
 */
public final class Tutti implements AutoCloseable {

    private final Runtime runtime;

    private Tutti(Runtime runtime) {
        this.runtime = runtime;
    }

    /**
     * Starts a runtime with an actor system of its own.
     *
     * @param config a loaded configuration, for example {@code ConfigFactory.load()}
     * @throws io.tutti.config.ConfigurationException with every mistake at once, before anything is started
     * @throws io.tutti.gpu.TuttiException when the driver or the cluster's port cannot be opened
     */
    public static Tutti start(Config config) {
        return new Tutti(Runtime.start(TuttiSettings.load(config), config));
    }

    /**
     * Attaches a runtime to a running actor system, which stays the caller's: closing the runtime does not end it. The
     * system must be a member of a cluster, or become one; its configuration holds the {@code tutti} keys.
     *
     * @param system with {@code pekko.actor.provider = cluster}
     * @throws io.tutti.gpu.TuttiException with code CONFIGURATION when the system cannot carry a runtime
     */
    public static Tutti attach(ActorSystem<?> system) {
        return new Tutti(Runtime.attach(TuttiSettings.load(system.settings().config()), system));
    }

    /** The names of the configured communicators. */
    public Set<String> communicators() {
        return runtime.communicators();
    }

    /**
     * The communicator of that name, once all ranks have committed its first epoch.
     *
     * @return fails with a {@link io.tutti.gpu.TuttiException} that names rank, call, result and advice when no path
     *     works, with code USAGE when no such communicator is configured or none of its ranks lives here
     */
    public CompletionStage<Communicator> communicator(String name) {
        return runtime.communicator(name);
    }

    @Override
    public void close() {
        runtime.close();
    }
}
