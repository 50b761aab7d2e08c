package io.tutti.launcher.run;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What a run needs of Tutti; a test puts its own communicators behind it. */
public interface RunRuntime extends AutoCloseable {

    /** Starts one. */
    @FunctionalInterface
    interface Starter {
        RunRuntime start(Config config);

        /**
         * Starts one, works with it and closes it. After a failure it is closed too; that failure is thrown, and what
         * closing adds goes along.
         */
        default <T> T use(Config config, Function<RunRuntime, T> work) {
            RunRuntime runtime = start(config);
            T result;
            try {
                result = work.apply(runtime);
            } catch (RuntimeException | Error e) {
                try {
                    runtime.close();
                } catch (RuntimeException suppressed) {
                    e.addSuppressed(suppressed);
                }
                throw e;
            }
            runtime.close();
            return result;
        }
    }

    /** Completes when the communicator has formed. */
    CompletionStage<Communicator> communicator(String name);

    /** How far a communicator is that has not formed yet, where that is known. */
    Optional<FormingProgress> forming(String name);

    /** What the ranks here of a communicator have told about their places and devices so far. */
    List<RankFacts> facts(String name);

    /** This process as the other members of its cluster know it. */
    Membership membership();

    /**
     * A member of a cluster.
     *
     * @param identity of its process
     * @param address as {@code host:port}
     */
    record Membership(String identity, String address) {}

    /** Leaves and gives everything back, bounded by {@code tutti.close.timeout}. */
    @Override
    void close();
}
