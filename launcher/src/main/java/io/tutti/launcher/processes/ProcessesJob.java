package io.tutti.launcher.processes;

import com.typesafe.config.Config;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.Waits;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Runs one request in several processes: starts them first, so that their JVMs come up while the launcher's own seat in
 * the cluster does, gives each its share of the ranks, and puts their results together. Whatever happens, no process is
 * left when it returns. Confined to one thread; another thread may stop it through {@link Waits}.
 */
public final class ProcessesJob {

    private final IntFunction<List<String>> commands;
    private final LauncherNode.Starter nodes;
    private final Waits waits;
    private final Progress progress;
    private final Consumer<String> log;

    /**
     * @param commands the command that starts each process, which must end up in {@link LauncherLink}
     * @param nodes starts the launcher's seat in the cluster
     * @param log told each line that a process logs, from several threads
     */
    public ProcessesJob(
            IntFunction<List<String>> commands,
            LauncherNode.Starter nodes,
            Waits waits,
            Progress progress,
            Consumer<String> log) {
        this.commands = commands;
        this.nodes = nodes;
        this.waits = waits;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Runs it.
     *
     * @param config what to start the launcher's seat with
     * @throws io.tutti.gpu.TuttiException why there is no result
     */
    public RunResult run(ProcessesPlan plan, Config config) {
        return use(plan, config, (conversation, seed) -> conversation.run(seed));
    }

    /**
     * Starts the processes and lends them out; each must answer what it is asked through {@link LauncherLink}.
     *
     * @param config what to start the launcher's seat with
     * @throws io.tutti.gpu.TuttiException why that did not come to an end
     */
    public <T> T converse(ProcessesPlan plan, Config config, Function<RankProcessGroup, T> work) {
        return use(plan, config, (conversation, seed) -> {
            conversation.begin(seed);
            T result = work.apply(conversation);
            conversation.dismiss();
            return result;
        });
    }

    private <T> T use(ProcessesPlan plan, Config config, BiFunction<Conversation, String, T> work) {
        waits.checkpoint();
        ProcessEvents events = new ProcessEvents();
        try (RankProcesses processes = RankProcesses.start(
                        plan.processes(),
                        commands,
                        events::add,
                        log,
                        plan.limits().end());
                LauncherNode node = nodes.start(config);
                // The processes end before the node that coordinates them; closing them twice does no harm.
                RankProcesses first = processes) {
            DeathReports deaths = new DeathReports(node);
            first.all()
                    .forEach(process ->
                            process.exit().thenAccept(ended -> deaths.ended(process.number(), ended.exitValue())));
            return work.apply(new Conversation(plan, first, events, deaths, waits, progress), node.address());
        }
    }
}
