package io.tutti.launcher.preflight;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Forms communicators, through every stage but without a call, shows what came of it, and gives everything back. Confined to
 * one thread; another thread may stop it through {@link Waits}.
 */
public final class PreflightJob {

    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final Progress progress;

    public PreflightJob(RunRuntime.Starter starter, Waits waits, Progress progress) {
        this.starter = starter;
        this.waits = waits;
        this.progress = progress;
    }

    /**
     * Runs it. A communicator that does not form is no failure of the job, but one of the things that it finds out.
     *
     * @param communicators to form, in this order
     * @param limit for each; longer than the runtime's own deadlines, whose errors say more
     * @param config what to start the runtime with
     * @param work done while the communicators are still there
     * @throws TuttiException when the runtime does not start or close, or the job was stopped
     */
    public <T> T run(
            List<String> communicators, Duration limit, Config config, Function<List<CommunicatorReport>, T> work) {
        try {
            waits.checkpoint();
            return starter.use(config, runtime -> {
                List<CommunicatorReport> reports = new ArrayList<>();
                for (String name : communicators) {
                    reports.add(form(runtime, name, limit));
                }
                return work.apply(reports);
            });
        } catch (RuntimeException | Error e) {
            throw waits.explain(e);
        }
    }

    private CommunicatorReport form(RunRuntime runtime, String name, Duration limit) {
        try {
            Communicator communicator = waits.await(
                    runtime.communicator(name),
                    limit,
                    "communicator " + name + " to form",
                    () -> runtime.forming(name).ifPresent(stage -> show(name, stage)));
            return new CommunicatorReport(
                    name, Optional.of(Formed.of(communicator)), Optional.empty(), runtime.facts(name));
        } catch (TuttiException e) {
            if (e.code() == ErrorCode.ABORTED) {
                throw e;
            }
            return new CommunicatorReport(name, Optional.empty(), Optional.of(e.info()), runtime.facts(name));
        }
    }

    private void show(String communicator, FormingProgress forming) {
        progress.at(communicator + ": forming, " + forming.stage() + ", ranks done", forming.done(), forming.ranks());
    }
}
