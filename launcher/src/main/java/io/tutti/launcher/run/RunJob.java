package io.tutti.launcher.run;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.gpu.TuttiException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one request: starts the runtime, forms each communicator, runs and checks its operations, and closes everything
 * again, also after a failure. Confined to one thread; another thread may stop it through {@link Waits}.
 */
public final class RunJob {

    private final RunRuntime.Starter starter;
    private final Waits waits;
    private final Progress progress;
    private final Agreement agreement;

    /** @param agreement reached for each communicator before its outputs are written and anything is closed */
    public RunJob(RunRuntime.Starter starter, Waits waits, Progress progress, Agreement agreement) {
        this.starter = starter;
        this.waits = waits;
        this.progress = progress;
        this.agreement = agreement;
    }

    /**
     * Runs it.
     *
     * @param config what to start the runtime with
     * @throws TuttiException why there is no result
     */
    public RunResult run(RunRequest request, Config config) {
        try {
            waits.checkpoint();
            return starter.use(config, runtime -> runOrRefuse(request, runtime));
        } catch (RuntimeException | Error e) {
            throw waits.explain(e);
        }
    }

    private void show(String communicator, FormingProgress forming) {
        progress.at(communicator + ": forming, " + forming.stage() + ", ranks done", forming.done(), forming.ranks());
    }

    private RunResult runOrRefuse(RunRequest request, RunRuntime runtime) {
        try {
            return run(request, runtime);
        } catch (RuntimeException | Error e) {
            agreement.refuse(e);
            throw e;
        }
    }

    private RunResult run(RunRequest request, RunRuntime runtime) {
        List<RunResult.CommunicatorResult> results = new ArrayList<>();
        for (String name : request.communicators()) {
            Communicator communicator = waits.await(
                    runtime.communicator(name),
                    request.limits().forming(),
                    "communicator " + name + " to form",
                    () -> runtime.forming(name).ifPresent(stage -> show(name, stage)));
            results.add(new CommunicatorRun(
                            communicator,
                            request.inputs().apply(communicator.worldSize()),
                            request.operation(),
                            request.limits().operation(),
                            waits,
                            progress,
                            agreement)
                    .run(request.output()));
        }
        return new RunResult(results);
    }
}
