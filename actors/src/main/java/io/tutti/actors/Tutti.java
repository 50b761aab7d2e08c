package io.tutti.actors;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.actors.internal.Runtime;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

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

    /** How far a communicator is on its way to its first epoch; empty where none of that name has ranks here. */
    public Optional<FormingProgress> forming(String name) {
        return runtime.forming(name);
    }

    /**
     * What the ranks of a communicator that live in this process know about where they are and what their devices promise,
     * in rank order, as they last told it. Of ranks that have not come so far nothing; so also when no path works.
     */
    public List<RankFacts> facts(String name) {
        return runtime.facts(name);
    }

    /** Where other processes join this one's cluster, as {@code host:port}; a setting of port 0 is resolved. */
    public String address() {
        return runtime.address();
    }

    /** Identifies this process incarnation, as its ranks' facts do. */
    public String processIdentity() {
        return runtime.processIdentity();
    }

    /**
     * Tells every communicator's coordinator that a process has ended, so that it need not wait for cluster membership
     * to notice. To be called by whoever started that process and has seen its exit; a wrong report makes a living rank
     * a stranger to its communicator.
     *
     * @param processIdentity the process's {@link #processIdentity}
     * @param how how it ended, for people
     * @param address its {@link #address}, to be removed from the cluster at once; null where it never joined
     */
    public void processExited(String processIdentity, String how, @Nullable String address) {
        runtime.processExited(processIdentity, how, address);
    }

    @Override
    public void close() {
        runtime.close();
    }
}
