package io.tutti.launcher.processes;

import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The launcher's side of a run: hears every process out, communicator by communicator, lets them go on when all agree,
 * and sees them end. The first thing that goes wrong ends it. Confined to the launcher's thread.
 */
final class Conversation implements RankProcessGroup {

    /** How long the other processes may take to say what they saw, once one has failed. */
    private static final Duration OTHERS_BOUND = Duration.ofSeconds(2);

    /**
     * How much of that they have to see it for themselves, which says more. Then they are told: not every wait ends with a
     * peer, since an epoch that is forming, or is to form next, waits for its return.
     */
    private static final Duration OWN_WORDS = Duration.ofMillis(300);

    private final ProcessesPlan plan;
    private final RankProcesses processes;
    private final ProcessEvents events;
    private final DeathReports deaths;
    private final Waits waits;
    private final Progress progress;
    private final List<ProcessState> states;
    private final ProcessFailures failures;

    Conversation(
            ProcessesPlan plan,
            RankProcesses processes,
            ProcessEvents events,
            DeathReports deaths,
            Waits waits,
            Progress progress) {
        this.deaths = deaths;
        this.plan = plan;
        this.processes = processes;
        this.events = events;
        this.waits = waits;
        this.progress = progress;
        this.states = IntStream.range(0, plan.processes())
                .mapToObj(process -> new ProcessState(plan.limits()))
                .toList();
        this.failures = new ProcessFailures(plan, processes, states);
    }

    /**
     * Runs it.
     *
     * @param seed the cluster member that the processes join
     * @throws TuttiException the failure that explains best why there is no result
     */
    RunResult run(String seed) {
        begin(seed);
        List<RunResult.CommunicatorResult> results = new ArrayList<>();
        for (String communicator : plan.request().communicators()) {
            results.add(agree(communicator));
        }
        end();
        return new RunResult(results);
    }

    /** Tells every process its ranks. */
    void begin(String seed) {
        for (RankProcess process : processes.all()) {
            process.send(new ProcessMessage.Job(
                    ProcessMessage.VERSION,
                    process.number(),
                    seed,
                    plan.worldSizes(),
                    plan.ranks().get(process.number())));
        }
    }

    @Override
    public List<String> ask(String question, Duration limit) {
        states.forEach(state -> state.asked(question, limit));
        processes.all().forEach(process -> process.send(new ProcessMessage.Asked(question)));
        while (!states.stream().allMatch(state -> state.answer().isPresent())) {
            hear(states.stream().filter(state -> state.answer().isEmpty()).toList());
        }
        return states.stream().flatMap(state -> state.answer().stream()).toList();
    }

    /** Lets every process end that is asked nothing more. */
    void dismiss() {
        states.forEach(state -> state.dismissed(plan.limits().finish()));
        processes.all().forEach(process -> process.send(new ProcessMessage.Dismissed()));
        end();
    }

    private void end() {
        while (!states.stream().allMatch(state -> state.exitValue().isPresent())) {
            hear(states.stream().filter(state -> state.exitValue().isEmpty()).toList());
        }
    }

    private RunResult.CommunicatorResult agree(String communicator) {
        while (!states.stream().allMatch(state -> state.result().isPresent())) {
            hear(states.stream().filter(state -> state.result().isEmpty()).toList());
        }
        RunResult.CommunicatorResult merged = ResultMerge.of(
                states.stream().flatMap(state -> state.result().stream()).toList());
        List<String> all = plan.request().communicators();
        boolean last = communicator.equals(all.get(all.size() - 1));
        states.forEach(state ->
                state.agreed(last, last ? plan.limits().finish() : plan.limits().silence()));
        processes.all().forEach(process -> process.send(new ProcessMessage.Agreed(communicator)));
        return merged;
    }

    /** One event, which must come before the first of these has been silent for too long. */
    private void hear(List<ProcessState> awaited) {
        long now = System.nanoTime();
        long left = awaited.stream()
                .mapToLong(state -> state.deadline() - now)
                .min()
                .orElse(0);
        Optional<ProcessEvent> event = events.next(waits, Duration.ofNanos(left));
        if (event.isEmpty()) {
            throw failures.silent(awaited);
        }
        ProcessState state = take(event.get());
        if (state.bad()) {
            long since = System.nanoTime();
            hearOthers(event.get().process(), since);
            throw failures.best(since);
        }
    }

    private ProcessState take(ProcessEvent event) {
        ProcessState state = states.get(event.process());
        state.on(event);
        if (event instanceof ProcessEvent.Exited exited) {
            deaths.ended(exited.process(), exited.exitValue());
        } else if (event instanceof ProcessEvent.Said said) {
            if (said.message() instanceof ProcessMessage.Started started) {
                deaths.started(said.process(), started);
            } else if (said.message() instanceof ProcessMessage.Progressed progressed) {
                progress.at(progressed.what(), progressed.done(), progressed.total());
            }
        }
        return state;
    }

    private void hearOthers(int over, long since) {
        hearUntil(since + OWN_WORDS.toNanos());
        ProcessMessage.PeerOver message = new ProcessMessage.PeerOver(failures.told(over, since));
        for (RankProcess process : processes.all()) {
            if (!states.get(process.number()).settled()) {
                process.send(message);
            }
        }
        hearUntil(since + OTHERS_BOUND.toNanos());
    }

    /** Hears what they say until nothing runs in any of them, or until then, as {@link System#nanoTime} counts. */
    private void hearUntil(long end) {
        while (!states.stream().allMatch(ProcessState::settled)) {
            Optional<ProcessEvent> event = events.next(waits, Duration.ofNanos(end - System.nanoTime()));
            if (event.isEmpty()) {
                return;
            }
            take(event.get());
        }
    }
}
