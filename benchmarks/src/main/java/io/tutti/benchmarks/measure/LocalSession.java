package io.tutti.benchmarks.measure;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.function.Function;

/**
 * Starts a runtime in this process, forms a communicator, lends its local ranks out, and closes everything again, also
 * after a failure. Confined to one thread; another thread may stop it through {@link Waits}.
 */
public final class LocalSession {

    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final Progress progress;

    public LocalSession(RunRuntime.Starter starter, Waits waits, Progress progress) {
        this.starter = starter;
        this.waits = waits;
        this.progress = progress;
    }

    /**
     * Works with the ranks that the configuration places here.
     *
     * @param forming how long the communicator may take to form
     * @throws io.tutti.gpu.TuttiException why that did not come to an end
     */
    public <T> T use(
            Config config, String communicator, Duration forming, RankSetting setting, Function<OurRanks, T> work) {
        try {
            waits.checkpoint();
            return starter.use(config, runtime -> {
                Communicator formed = waits.await(
                        runtime.communicator(communicator), forming, "communicator " + communicator + " to form");
                try (LocalRanks ranks = new LocalRanks(formed, setting, waits, progress)) {
                    return work.apply(ranks);
                }
            });
        } catch (RuntimeException e) {
            throw waits.explain(e);
        }
    }
}
